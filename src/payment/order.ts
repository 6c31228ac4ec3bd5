import type { SessionView } from '../../contract/api.ts'
import type { ProductId } from '../../contract/catalogue.ts'
import { parseEmail } from '../../contract/email.ts'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { type PaidBy, shownNow } from './shown.ts'
import { termsText } from './terms-text.ts'
import type { PayFields } from './form.ts'
import type { MarketingChoice, Order } from './pay.ts'

/** What is bought, by whom and on which page, before anything is typed. */
export interface Purchase {
  session: SessionView
  productId: ProductId
  settings: FunnelSettings
  marketing: MarketingChoice | null
  /** The path of the page where the order is placed, without its id, as evidence of the agreement (H-03). */
  page: string
}

/** The order as the buyer places it now, with the figures and words beside the button (H-03). */
export function orderOf(purchase: Purchase, { email, name }: PayFields, by: PaidBy = 'price'): Order {
  const { session, productId, settings, marketing, page } = purchase
  const shown = shownNow(productId, by)
  return {
    sessionId: session.sessionId,
    productId,
    email: parseEmail(email) ?? email.trim(),
    name: name.trim(),
    marketing,
    shown,
    agreement: { words: termsText(productId, shown, by)?.words ?? '', version: settings.consentVersion, page },
  }
}

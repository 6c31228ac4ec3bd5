/** What the catalogue is called in a Stripe account (P-13). */
import type { ProductId } from '../../contract/catalogue.ts'
import { ORDERED_PERIOD } from '../../contract/period.ts'

export const stripeProductId = (id: ProductId): string => `funnel_${id}`

/** Only the monthly product renews: every 30 days, not every calendar month. */
export const RECURRING = { interval: ORDERED_PERIOD.unit, interval_count: ORDERED_PERIOD.count }

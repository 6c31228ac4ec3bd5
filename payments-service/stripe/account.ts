/** What the catalogue is called in a Stripe account (P-13). */
import { type ProductId, RENEWAL_DAYS } from '../../contract/catalogue.ts'

export const stripeProductId = (id: ProductId): string => `funnel_${id}`

/** Only the monthly product renews: every 30 days, not every calendar month. */
export const RECURRING = { interval: 'day', interval_count: RENEWAL_DAYS } as const

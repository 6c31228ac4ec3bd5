import { product, RENEWAL_DAYS, TRIAL_DAYS, type ProductId } from './catalogue.ts'
import type { Cents } from './money.ts'

/**
 * What a first payment commits the buyer to, as dates and amounts (H-01). Pages, mails, agreements' evidence and the
 * Stripe subscription are all made from this, so they cannot differ.
 */
export interface Terms {
  /** Charged now. */
  now: Cents
  /** When the first full charge happens. */
  firstChargeAt: Date
  firstCharge: Cents
  /** Days between charges after that. */
  everyDays: number
}

const DAY = 86_400_000

/** One calendar month ahead, kept within the target month: 31 January → 28 or 29 February (O-03). */
export function oneMonthAhead(from: Date): Date {
  const to = new Date(from)
  to.setUTCMonth(to.getUTCMonth() + 1)
  // setUTCMonth overflows into the month after when the day does not exist there
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  return to
}

/** The terms of a first payment made at `paidAt`; undefined for products that start no subscription. */
export function termsOf(id: ProductId, paidAt: Date): Terms | undefined {
  const { kind, price } = product(id)
  const firstCharge = product('monthly').price
  if (kind === 'trial') {
    return {
      now: price,
      firstChargeAt: new Date(paidAt.getTime() + TRIAL_DAYS * DAY),
      firstCharge,
      everyDays: RENEWAL_DAYS,
    }
  }
  if (kind === 'special_offer') {
    return { now: price, firstChargeAt: oneMonthAhead(paidAt), firstCharge, everyDays: RENEWAL_DAYS }
  }
  if (kind === 'monthly') {
    return {
      now: price,
      firstChargeAt: new Date(paidAt.getTime() + RENEWAL_DAYS * DAY),
      firstCharge,
      everyDays: RENEWAL_DAYS,
    }
  }
  return undefined
}

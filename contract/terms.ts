import { DAY, HOUR } from './time.ts'
import type { ShownTerms } from './api/order.ts'
import { product, RENEWAL_DAYS, TRIAL_DAYS, type ProductId } from './catalogue.ts'
import type { Cents } from './money.ts'
import type { Period } from './period.ts'

export type { ShownTerms } from './api/order.ts'

/**
 * Hours between the end of a paid period and the charge for the next one: Stripe keeps a renewal's invoice as a draft
 * for about an hour before it collects it (docs.stripe.com/billing/invoices/subscription). Every charge date includes
 * it, so that the promised day matches the bank statement, even shortly before midnight.
 */
export const COLLECTION_HOURS = 1

/**
 * Days before the first charge of a changed price within which its buyer is notified (contract/duties, price_change).
 */
export const PRICE_NOTICE_DAYS = { least: 7, most: 30 } as const

/**
 * What a first payment commits the buyer to, as dates and amounts (H-01). Pages, mails and the evidence of agreements
 * are all made from this, and the Stripe subscription starts to renew at `paidUntil`, so they cannot differ. One
 * that an outage delays beyond `paidUntil` begins with a fresh trial instead of a charge (subscriptions/start.ts).
 */
export interface Terms {
  /** Charged now. */
  now: Cents
  /** The end of what is paid now; the trial's end at Stripe. */
  paidUntil: Date
  /** When the first full charge happens. */
  firstChargeAt: Date
  firstCharge: Cents
  /** Days between charges after that. */
  everyDays: number
}

/** So many calendar months later, limited to the target month: 31 January → 28 or 29 February (O-03). */
export function monthsAhead(from: Date, months: number): Date {
  const to = new Date(from)
  to.setUTCMonth(to.getUTCMonth() + months)
  // setUTCMonth overflows into the following month if the day does not exist
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0)
  return to
}

export const oneMonthAhead = (from: Date): Date => monthsAhead(from, 1)

/** When a period that begins at `from` ends, as Stripe counts: a month or a year by the calendar. */
export function periodAfter(from: Date, { unit, count }: Period): Date {
  if (unit === 'month' || unit === 'year') return monthsAhead(from, unit === 'year' ? count * 12 : count)
  return new Date(from.getTime() + count * (unit === 'week' ? 7 : 1) * DAY)
}

/** When the charge that follows a paid period is collected. */
export function collectedAt(paidUntil: Date): Date {
  return new Date(paidUntil.getTime() + COLLECTION_HOURS * HOUR)
}

/**
 * The end of the time that a first payment made at `paidAt` covers; undefined for products that start no subscription.
 */
function paidUntilOf(id: ProductId, paidAt: Date): Date | undefined {
  const days = (count: number): Date => new Date(paidAt.getTime() + count * DAY)
  switch (product(id).kind) {
    case 'trial':
      return days(TRIAL_DAYS)
    case 'special_offer':
      return oneMonthAhead(paidAt)
    case 'monthly':
      return days(RENEWAL_DAYS)
    default:
      return undefined
  }
}

/** Whether a charge is the last one before `end`: the next would come a period after it. */
export function isLastBefore(end: string, chargeAt: Date | string, period: Period): boolean {
  return periodAfter(new Date(chargeAt), period).getTime() >= Date.parse(end)
}

/**
 * Whether an end that comes within a period, of those that follow `from`, cuts the last one short: Stripe charges only
 * its days. docs.stripe.com/api/subscriptions/update, `cancel_at`: "If set during a future period, this will always
 * cause a proration for that period."
 */
export function isLastCutShort(end: Date, from: Date, { unit, count }: Period): boolean {
  if (end <= from) return false
  // counted from the first one, as Stripe does: two months after 31 January is 31 March
  const boundary = (periods: number): Date => periodAfter(from, { unit, count: count * periods })
  let periods = 1
  while (boundary(periods) < end) periods += 1
  return boundary(periods) > end
}

/** The terms of a first payment made at `paidAt`; undefined for products that start no subscription. */
export function termsOf(id: ProductId, paidAt: Date): Terms | undefined {
  const paidUntil = paidUntilOf(id, paidAt)
  return (
    paidUntil && {
      now: product(id).price,
      paidUntil,
      firstChargeAt: collectedAt(paidUntil),
      firstCharge: product('monthly').price,
      everyDays: RENEWAL_DAYS,
    }
  )
}

/**
 * The figures of an order at `at`; `free`: a PayPal set-up, which costs nothing now (P-06).
 * An unknown zone reads as UTC.
 */
export function shownTerms(id: ProductId, at: Date, timeZone: string, free = false): ShownTerms {
  const terms = termsOf(id, at)
  const zone = knownZone(timeZone)
  return {
    now: free ? 0 : product(id).price,
    firstFull: terms
      ? { amount: terms.firstCharge, on: dayIn(terms.firstChargeAt, zone), everyDays: terms.everyDays }
      : null,
    timeZone: zone,
  }
}

/** Whether two sets of terms mean the same charges; the zone only names the day. */
export function sameTerms(a: ShownTerms, b: ShownTerms): boolean {
  return (
    a.now === b.now &&
    a.firstFull?.amount === b.firstFull?.amount &&
    a.firstFull?.on === b.firstFull?.on &&
    a.firstFull?.everyDays === b.firstFull?.everyDays
  )
}

/** The calendar day of a moment, YYYY-MM-DD. Throws RangeError for an unknown zone. */
export function dayIn(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const part = Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${part['year']}-${part['month']}-${part['day']}`
}

function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

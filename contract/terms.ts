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

/**
 * The figures beside a pay button: what an order agrees to (H-01, H-03). The page and the service both make them with
 * `shownTerms`; an order carries the page's, and the service refuses one that differs from what would be charged.
 */
export interface ShownTerms {
  /** Charged now. */
  now: Cents
  /** The first full charge: its amount, its day in `timeZone` (YYYY-MM-DD), the days between later ones; null: none. */
  firstFull: { amount: Cents; on: string; everyDays: number } | null
  /** IANA name of the zone in which the page tells days. */
  timeZone: string
}

/** The figures of an order at `at`; `free`: a PayPal set-up, which costs nothing now (P-06). An unknown zone reads as UTC. */
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

/** Whether two sides mean the same charges; the zone only names the day. */
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

/** Reads the words of mails and pages as a buyer would: amounts, days, and sentences that promise something. */
import type { SubscriptionView } from '../../../contract/members.ts'
import { laterPrice } from '../../../contract/money.ts'
import { type Claim, dayOf, type Day } from './claims.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const DATE = `(?:\\w+day, )?((?:${MONTHS.join('|')}) \\d{1,2}, \\d{4})`
const SUM = '\\$([\\d,]+(?:\\.\\d\\d)?)'

const cents = (text: string): number => Math.round(Number(text.replaceAll(',', '')) * 100)

/** "November 24, 2026" → "2026-11-24". */
export function dayIn(text: string): Day {
  const [, month = '', day = '', year = ''] = /(\w+) (\d{1,2}), (\d{4})/.exec(text) ?? []
  return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Amount and day of the first match of a pattern that holds {sum} and {date}, in either order. */
function find(text: string, pattern: string): { amount: number; day: Day } | undefined {
  const source = pattern.replace('{sum}', `(?<sum>${SUM})`).replace('{date}', `(?<date>${DATE})`)
  const groups = new RegExp(source).exec(text)?.groups
  if (!groups?.['sum'] || !groups['date']) return undefined
  return { amount: cents(groups['sum'].slice(1)), day: dayIn(groups['date']) }
}

/** The ways in which a coming charge is written. */
const NEXT = [
  '{date}: {sum} (?:First full charge|Charged to|Next charge|Last charge)',
  'Next charge: {sum}(?: on)? {date}',
  'next charge would be {sum} on {date}',
  '(?:Next|Last) try: {sum} {date}',
  '{sum} on {date}, then',
]
const PAID = ['Paid in all: {sum} {date}', 'Paid: {sum} {date}']
const LATER = new RegExp(`Every (?:\\d+ )?(?:day|week|month|year)s? after that: ${SUM}`)
const NOTHING = new RegExp(
  [
    'not be charged again',
    'no further charge',
    'nothing more is charged',
    'pay nothing more',
    'programme is closed',
    'subscription (?:has )?ended',
  ].join('|'),
  'i',
)
/** A sentence with one of these words says what would happen, not what will. */
const CONDITION = /\b(cancel\b|if\b|unless\b|when\b|once\b|before\b|so what it paid)/i

/** What the words of a letter or page claim. `since`: seconds from which on a mentioned refund counts. */
export function readWords(text: string, since: number): Claim[] {
  const flat = text.replace(/https?:\S+/g, '').replace(/\s+/g, ' ')
  const claims: Claim[] = []
  const charge = NEXT.map((one) => find(flat, one)).find(Boolean)
  if (charge)
    claims.push(/(?:Next|Last) try:/.test(flat) ? { kind: 'due', amount: charge.amount } : { kind: 'next', ...charge })
  const later = LATER.exec(flat)?.[1]
  if (later) claims.push({ kind: 'later', amount: cents(later) })
  const paid = PAID.map((one) => find(flat, one)).find(Boolean)
  if (paid) claims.push({ kind: 'paid', ...paid })
  const sentences = flat.split(/(?<=[.:!?]) /)
  if (!charge && sentences.some((one) => NOTHING.test(one) && !CONDITION.test(one)))
    claims.push({ kind: 'nothing', ...(/Once you have paid, it opens again/.test(flat) ? { unless: 'paid' } : {}) })
  if (sentences.some((one) => /You have not been charged/.test(one))) claims.push({ kind: 'uncharged', intent: null })
  const refunded = new RegExp(`(?:[Ww]e refunded|and refunded|Refunded:) ${SUM}`).exec(flat)
  if (refunded?.[1]) claims.push({ kind: 'refunded', amount: cents(refunded[1]) })
  if (/did not accept|could not refund/.test(flat)) claims.push({ kind: 'unrefunded' })
  const pending = new RegExp(`On its way: ${SUM}`).exec(flat)
  if (pending?.[1]) claims.push({ kind: 'refunding', amount: cents(pending[1]), since })
  return claims
}

/** What a page says of a refund request. */
interface Request {
  status: string
  amount: number
  /** What the bank has sent, and what it has not confirmed yet; by default the whole amount, and nothing. */
  refunded?: number
  pending?: number
}

/** What the page of a subscription claims, in its order. `since`: seconds from which on refunds count for a request. */
export function readView(
  { nextCharge, state, owed, moneyBack, price, collecting }: SubscriptionView,
  zone: string,
  since: number,
): Claim[] {
  const claims: Claim[] = []
  // an amount owed is tried again; no page can know whether the bank will take it
  if (owed !== null) claims.push({ kind: 'due', amount: owed })
  else if (nextCharge)
    claims.push({ kind: 'next', amount: nextCharge.amount, day: dayOf(Date.parse(nextCharge.at) / 1000, zone) })
  // an order that was not paid says nothing of other subscriptions
  else if (state !== 'starting' && state !== 'not_started') claims.push({ kind: 'nothing' })
  // what the page of a trial says of the charges after the first one (src/members/words.ts)
  if (nextCharge && state === 'trial' && !collecting)
    claims.push({ kind: 'later', amount: laterPrice(nextCharge.amount, price).price })
  if (!moneyBack.request) return claims
  const { status, amount, refunded = amount, pending = 0 }: Request = moneyBack.request
  if (status === 'refunding') return [...claims, { kind: 'refunding', amount, since }]
  if (status === 'incomplete') claims.push({ kind: 'unrefunded' })
  if (status === 'incomplete' || status === 'refunded') claims.push({ kind: 'refunded', amount: refunded, since })
  if (pending > 0) claims.push({ kind: 'refunding', amount: refunded + pending, since })
  return claims
}

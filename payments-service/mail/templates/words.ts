/** Words that several letters share: what a product is called, how it was paid, what a subscription costs when. */
import {
  isAddOnId,
  MONEY_BACK_DAYS,
  MONEY_BACK_SESSIONS,
  product,
  type ProductId,
} from '../../../contract/catalogue.ts'
import { laterPrice } from '../../../contract/money.ts'
import { methodWords, type PaidWith } from '../../../contract/paid-with.ts'
import { everyWords, LAST_CUT_SHORT, type Period } from '../../../contract/period.ts'
import { productWords } from '../../../contract/product-words.ts'
import { taxLabel, type TaxShare } from '../../../contract/tax-words.ts'
import { isLastBefore, termsOf, type Terms } from '../../../contract/terms.ts'
import {
  day,
  link,
  listed,
  moment,
  money,
  paragraph,
  quiet,
  strong,
  type Block,
  type Fact,
  type Run,
} from '../letter.ts'
import type { AddOnLine, Instant, MailIdentity } from '../mail.ts'
import type { Common, Ending, LastCharge, Later } from '../mail.parts.ts'

/** What a letter is written from besides its data. `now` is when it is sent: what has run out by then is left out. */
export interface Setting {
  identity: MailIdentity
  now: Date
}

/** Why a letter about a subscription is sent. */
export const ABOUT_SUBSCRIPTION = 'You receive this mail because it is about your subscription.'

/** A product inside a sentence: "the 3-day trial". */
export function inSentence(id: ProductId): string {
  const starts = ['trial', 'special_offer', 'monthly'].includes(product(id).kind)
  const words = productWords(id)
  return starts ? `the ${words.charAt(0).toLowerCase()}${words.slice(1)}` : words
}

/** "your Visa ending in 4242", "your PayPal account". */
export function yourMethod(paidWith: PaidWith | null | undefined): string {
  if (!paidWith) return 'your saved payment method'
  return paidWith.type === 'paypal' ? 'your PayPal account' : `your ${methodWords(paidWith)}`
}

/** The terms a first payment agreed to. Throws RangeError for a product that starts no subscription. */
export function requiredTerms(id: ProductId, paidAt: Instant): Terms {
  const terms = termsOf(id, new Date(paidAt))
  if (!terms) throw new RangeError(`${id} starts no subscription`)
  return terms
}

/** "Every 30 days", at the beginning of a line. */
export const everyLabel = (period: Period): string => everyWords(period).replace('every', 'Every')

type Ends = Ending & { timeZone?: string | null | undefined }

/** How long a price is charged. */
export const howLong = ({ endsAt, timeZone }: Ends): string =>
  endsAt ? `until it ends by itself on ${day(endsAt, timeZone)}` : 'until you cancel'

/** The end that is set for a day; without these words charges would be understood to go on until the buyer cancels. */
export function endBlocks({ endsAt, lastCutShort, timeZone }: Ends): Block[] {
  if (!endsAt) return []
  const on = day(endsAt, timeZone)
  const short = lastCutShort ? ` ${LAST_CUT_SHORT}` : ''
  return [paragraph(strong(`Your subscription ends by itself on ${on}.`), ` Nothing is charged after that.${short}`)]
}

/** What is charged after the next charge: no row where that is the last one. */
export function laterRows(
  period: Period,
  next: { amount: number; at: Date | Instant },
  { price, ...ends }: Later & Ends,
): Fact[] {
  if (ends.endsAt && isLastBefore(ends.endsAt, next.at, period)) return []
  const later = laterPrice(next.amount, price)
  const detail = `${howLong(ends).replace('until', 'Until')}${later.but}`
  return [{ label: `${everyLabel(period)} after that`, detail, value: money(later.price) }]
}

/** H-01: every charge to come, with date and amount, from the contract's terms. */
export function chargesToCome(terms: Terms, period: Period, later: Later & Ends): Block {
  const { firstCharge: amount, firstChargeAt: at } = terms
  return {
    type: 'facts',
    rows: [
      { label: day(at, later.timeZone), detail: 'First full charge', value: money(amount) },
      ...laterRows(period, { amount, at }, later),
    ],
  }
}

/** How to cancel, shown next to the charges. */
export function howToCancel(cancelUrl: string, before: Date, timeZone: string | null | undefined): Block {
  return {
    type: 'notice',
    title: 'How to cancel',
    line: [
      link('Cancel your subscription', cancelUrl),
      ` and confirm once. You need no password and no phone call. Cancel before ${day(before, timeZone)} and ` +
        `you will not be charged again.`,
    ],
  }
}

/** A-07, in the words of the rule. */
export function moneyBackWords(identity: MailIdentity): Block {
  return paragraph(
    strong(`${MONEY_BACK_DAYS}-day money-back guarantee. `),
    `Within ${MONEY_BACK_DAYS} days of your first payment, after listening to at least ` +
      `${MONEY_BACK_SESSIONS} sessions, you can ask for your money back in your account or by writing to ` +
      `${identity.contactEmail}.`,
  )
}

export function addOnRows(items: readonly AddOnLine[]): Fact[] {
  return items.map(({ productId, amount }) => ({
    label: productWords(productId),
    detail: 'One-time payment, yours for life',
    value: money(amount),
  }))
}

/** What of a payment is tax, and what is left of it without. */
export const taxBlocks = (tax: TaxShare | null | undefined): Block[] =>
  tax ? [quiet(`Of this, ${taxLabel(tax)}: ${money(tax.taxAmount)}. Net: ${money(tax.netAmount)}.`)] : []

/** H-05: the links that undo add-ons, while there are any. */
export function undoBlocks(
  items: readonly AddOnLine[],
  undoUntil: Instant | null | undefined,
  timeZone: string | null | undefined,
  now: Date,
): Block[] {
  const undoable = items.filter((item) => item.undoUrl)
  if (!undoUntil || undoable.length === 0 || new Date(undoUntil) <= now) return []
  return [
    paragraph(
      strong('Added something you do not want? '),
      `Until ${moment(undoUntil, timeZone)} you can take it back and get all of it refunded. You will be ` +
        `asked once to confirm.`,
    ),
    {
      type: 'list',
      lines: undoable.map(({ productId, undoUrl }): Run[] => [link(`Undo ${productWords(productId)}`, undoUrl ?? '')]),
    },
  ]
}

/** What is still charged of a subscription that ends, and that nothing follows. */
export function lastBlocks(last: LastCharge, timeZone: string | null | undefined): Block[] {
  const what = last.added ? 'What was added to your bill' : 'The period that has begun'
  return [paragraph(`${what} is still charged, and nothing after it.`), charge('Last charge', last, timeZone)]
}

/** What was bought for life and stays open when the subscription ends. */
export function keptBlocks(productIds: readonly ProductId[]): Block[] {
  const kept = productIds.filter(isAddOnId).map(productWords)
  if (kept.length === 0) return []
  return [paragraph(`You bought ${listed(kept)} for life: that stays open in your account.`)]
}

/** One charge with its day. */
export const charge = (
  detail: string,
  { amount, at }: { amount: number; at: Instant },
  timeZone: string | null | undefined,
): Block => ({ type: 'facts', rows: [{ label: day(at, timeZone), detail, value: money(amount) }] })

/** P-14: what goes on although something has ended: "nothing more is charged" would not be true. */
export function runningBlocks({ running, timeZone }: Pick<Common, 'running' | 'timeZone'>): Block[] {
  if (!running) return []
  return [
    paragraph(strong('You ordered again since, and that subscription goes on.')),
    charge('Next charge', running, timeZone),
    { type: 'notice', title: 'Not for you?', line: [link('Cancel that subscription', running.cancelUrl), '.'] },
  ]
}

/** Nothing is charged by itself for now, and that may end; an invoice may come by mail instead. */
export const PAUSED = 'Charges are paused: nothing is charged automatically until they go on.'

/** Of a subscription whose charge failed for the last time. */
export const CLOSED_UNTIL_PAID =
  'closed, because a payment is open. Once it is paid, your programme opens again, with your progress as it was.'

/** Refunds take the bank's time, not ours. */
export const BANK_DAYS = 'Banks usually show it within 5 to 10 business days.'

export function sum(items: readonly { amount: number }[]): number {
  return items.reduce((total, { amount }) => total + amount, 0)
}

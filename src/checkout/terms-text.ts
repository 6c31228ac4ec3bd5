import { isReadingId, product, TRIAL_DAYS, type ProductId } from '../../contract/catalogue.ts'
import { formatMoney } from '../../contract/money.ts'
import { termsOf } from '../../contract/terms.ts'

/**
 * H-01: what a first payment commits to, in words: amount now, amount and date of the first full charge, period, how to
 * cancel. Made from contract/terms.ts, from which the subscription is made too. The same words are stored as evidence of
 * the agreement (H-03).
 */
export interface TermsText {
  now: string
  today: string
  firstDate: string
  first: string
  then: string
  cancel: string
  /** All of it as one text. */
  words: string
}

/** A day as a buyer reads it: "November 23, 2026". */
export function longDate(date: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', ...(timeZone ? { timeZone } : {}) }).format(date)
}

const PERIOD: Partial<Record<string, string>> = {
  trial: `for your ${TRIAL_DAYS}-day trial`,
  special_offer: 'for your first month',
}

/**
 * The terms of a product that starts a subscription, if it is paid for at `at` (by its price, or by a PayPal set-up that
 * costs nothing today, P-06), and of a reading, which is paid once (X-03);
 * undefined for other products.
 */
export function termsText(
  id: ProductId,
  at: Date,
  timeZone?: string,
  by: 'price' | 'paypal-setup' = 'price',
): TermsText | undefined {
  if (isReadingId(id)) return paidOnce(id)
  const terms = termsOf(id, at)
  if (!terms) return undefined
  const free = by === 'paypal-setup'
  const now = formatMoney(free ? 0 : terms.now)
  const full = formatMoney(terms.firstCharge)
  const firstDate = longDate(terms.firstChargeAt, timeZone)
  const text = {
    now,
    today: `${now} today${free ? ' with PayPal' : ''} ${PERIOD[product(id).kind] ?? `for ${terms.everyDays} days`}.`,
    firstDate,
    first: `${full} on ${firstDate},`,
    then: `then ${full} every ${terms.everyDays} days until you cancel.`,
    cancel: `Cancel online at any time, in your account or from any of our emails. Cancel before ${firstDate} and you pay nothing more.`,
  }
  return { ...text, words: `${text.today} ${text.first} ${text.then} ${text.cancel}` }
}

function paidOnce(id: ProductId): TermsText {
  const now = formatMoney(product(id).price)
  const text = {
    now,
    today: `${now} today, paid once.`,
    firstDate: '',
    first: 'No subscription.',
    then: 'Nothing renews and nothing more is charged.',
    cancel: '',
  }
  return { ...text, words: `${text.today} ${text.first} ${text.then}` }
}

import { isReadingId, product, TRIAL_DAYS, type ProductId } from '../../contract/catalogue.ts'
import { type Cents, formatMoney, obligationToPay } from '../../contract/money.ts'
import type { ShownTerms } from '../../contract/terms.ts'
import type { PaidBy } from './shown.ts'

/**
 * H-01: what a first payment commits to, in words: amount now, amount and date of the first full charge, period, how to
 * cancel. Built from the figures sent with the order (contract/terms.ts). The same words are stored as evidence of the
 * agreement (H-03).
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
export const longDate = (date: Date): string => new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(date)

/** Made once: making it takes a slow phone longer than all the rest of the terms. */
const calendar = /* @__PURE__ */ new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

const PERIOD: Partial<Record<string, string>> = {
  trial: `for your ${TRIAL_DAYS}-day trial`,
  special_offer: 'for your first month',
}

/**
 * The terms of a product that starts a subscription, from the figures shown for it, or of a reading, which is paid once
 * (X-03); undefined for other products.
 */
export function termsText(id: ProductId, shown: ShownTerms, by: PaidBy = 'price'): TermsText | undefined {
  const now = formatMoney(shown.now)
  if (isReadingId(id)) return paidOnce(now)
  const { firstFull } = shown
  if (!firstFull) return undefined
  const full = formatMoney(firstFull.amount)
  // a calendar day, as agreed: no time zone shifts it
  const firstDate = calendar.format(new Date(`${firstFull.on}T00:00:00Z`))
  const free = by === 'paypal-setup' ? ' with PayPal' : ''
  const text = {
    now,
    today: `${now} today${free} ${PERIOD[product(id).kind] ?? `for ${firstFull.everyDays} days`}.`,
    firstDate,
    first: `${full} on ${firstDate},`,
    then: `then ${full} every ${firstFull.everyDays} days until you cancel.`,
    cancel:
      `Cancel online at any time, in your account or from any of our emails. Cancel before ${firstDate} and ` +
      `you pay nothing more.`,
  }
  return { ...text, words: `${text.today} ${text.first} ${text.then} ${text.cancel}` }
}

/** The words on the pay button inside the form. */
export function payButtonLabel(amount: Cents, strict: boolean): string {
  return strict ? obligationToPay(amount) : 'Order Now'
}

function paidOnce(now: string): TermsText {
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

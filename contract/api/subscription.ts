/** A member's subscription: its state, card, money back and invoices. */
import { z } from 'zod'
import { PERIOD_UNITS } from '../period.ts'
import { cents, moment } from './parts.ts'

export const cardView = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('card'), brand: z.string(), last4: z.string(), expires: z.string() }),
  z.strictObject({ type: z.literal('paypal') }),
])
export type CardView = z.infer<typeof cardView>

export const moneyBackRequestView = z.strictObject({
  kind: z.enum(['guarantee', 'withdrawal']),
  /** incomplete: granted, but something could not be refunded yet. */
  status: z.enum(['open', 'refunding', 'refunded', 'incomplete', 'declined']),
  requestedAt: moment,
  answerBy: moment,
  /** What was asked for, less what went back before it was granted; of a guarantee that is open, what was asked for. */
  amount: cents,
  /** What the bank has agreed to give back, and what it has not agreed to yet. */
  refunded: cents,
  pending: cents,
  /** What the bank holds because of a dispute, and what it did not accept: an operator looks for another way. */
  withBank: cents,
  open: cents,
  reason: z.string().nullable(),
})
export type MoneyBackRequestView = z.infer<typeof moneyBackRequestView>

const moneyBackView = z.strictObject({
  /** Within 30 days of the first payment. */
  until: moment.nullable(),
  listened: z.number().int(),
  needed: z.number().int(),
  eligible: z.boolean(),
  /** The refund it would give. */
  amount: cents,
  /** Also a withdrawal from the subscription. */
  request: moneyBackRequestView.nullable(),
})
export type MoneyBackView = z.infer<typeof moneyBackView>

export const subscriptionView = z.strictObject({
  id: z.uuid(),
  /**
   * not_started: ordered and not paid, so that nothing is charged. trial, active: renews automatically. ending:
   * cancelled, open until `accessUntil`. paused: nothing is collected until `resumesAt`. late: a charge failed. unpaid:
   * all tries failed, closed until it is paid. cancelling: the cancellation is recorded and carried out as soon as the
   * payment provider can be reached. ended: over.
   */
  state: z.enum([
    'not_started',
    'starting',
    'trial',
    'active',
    'ending',
    'paused',
    'late',
    'unpaid',
    'cancelling',
    'ended',
  ]),
  /** The next automatic charge, as the payment provider plans it; also the next try of a failed charge. */
  nextCharge: z.strictObject({ amount: cents, at: moment }).nullable(),
  /** The next charge is for the period that has begun already: it is about to be collected. */
  collecting: z.boolean(),
  /** The price of a period in the next charge, before what is taken off or added there; null where none is known. */
  price: cents.nullable(),
  /** It was cancelled, and that can be taken back: not once it was withdrawn from. */
  keepable: z.boolean(),
  /** The end of the paid time; null if nothing is paid, so that cancelling ends it at once. */
  paidUntil: moment.nullable(),
  /** When a pause ends, if known. */
  resumesAt: moment.nullable(),
  /** When access to the programme ends, if known: of one that renews, the later day on which it ends by itself. */
  accessUntil: moment.nullable(),
  /** The last period before that later day is shorter than the others, and costs less. */
  lastCutShort: z.boolean(),
  /** How often it is charged, at Stripe. */
  period: z.strictObject({ unit: z.enum(PERIOD_UNITS), count: z.number().int().min(1) }),
  /** About the same in days, for the pages of the release before, which say nothing else. */
  everyDays: z.number().int(),
  /** What is owed after a failed charge. */
  owed: cents.nullable(),
  /** H-01: while something is owed, when the period after it is charged; null where none follows. */
  chargeAfterOwed: moment.nullable(),
  paidWith: cardView.nullable(),
  moneyBack: moneyBackView,
  /** H-02: the withdrawal that was asked for last, also from a guide alone. */
  withdrawal: moneyBackRequestView.nullable(),
  /** H-02: when the right to withdraw ends, where the law of the buyer's country gives it. */
  withdrawUntil: moment.nullable(),
  /** What withdrawing would give back then. */
  withdrawAmount: cents,
  /** Whether it leaves the subscription as it is, whose days are over while those of a later order are not. */
  withdrawKeeps: z.boolean(),
})
export type SubscriptionView = z.infer<typeof subscriptionView>

/** What the card page needs to save another card without a charge. */
export const cardSetup = z.strictObject({ clientSecret: z.string(), setupIntentId: z.string() })
export type CardSetup = z.infer<typeof cardSetup>
const setupIntentId = z
  .string()
  .max(255)
  .regex(/^seti_[A-Za-z0-9]+$/)
/** H-01: `owed`: what the page said would be charged with the card, null where it said nothing; older pages: absent. */
export const savedCard = z.object({ setupIntentId, owed: cents.nullable().exactOptional() })
export type SavedCard = z.infer<typeof savedCard>
/** H-01: what the page said would be charged, and to which method. */
export const owedPayment = z.object({ owed: cents, paidWith: cardView })
export type OwedPayment = z.infer<typeof owedPayment>
export const cardSaved = z.strictObject({
  /**
   * paid: what was owed is paid; saved: nothing was owed; owed: the card was refused for what is owed; part: one of
   * several bills was paid, and not the rest; unasked: another amount is owed than the page said, or to another method,
   * and nothing was charged. A page that does not know the word shows what is left.
   */
  result: z.enum(['saved', 'paid', 'owed', 'part', 'unasked']),
  /** Of the payment of what is owed, where the card's bank asks its owner to confirm it on the page. */
  clientSecret: z.string().nullable(),
  subscription: subscriptionView,
})
export type CardSaved = z.infer<typeof cardSaved>

const invoiceLine = z.strictObject({
  id: z.uuid(),
  at: moment,
  /** "3-day trial", "Monthly subscription", "Subscription for 7 days", a guide's name. */
  what: z.string(),
  amount: cents,
  /** What went back, by a refund or in another way. */
  refunded: cents,
  /** What the bank gave back after a dispute. */
  returned: cents,
})
export type InvoiceLine = z.infer<typeof invoiceLine>
/** TaxShare of contract/tax-words.ts. */
const taxShare = z.strictObject({
  name: z.enum(['VAT', 'GST', 'GST/HST']),
  country: z.string(),
  rate: z.number().int(),
  netAmount: cents,
  taxAmount: cents,
})
export const invoiceView = z.strictObject({
  ...invoiceLine.shape,
  /** The tax in the amount; null: none was taken out. */
  tax: taxShare.nullable(),
  /** Of the tax, what went back with what was refunded, and with what the bank gave back. */
  taxRefunded: cents,
  taxReturned: cents,
  number: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  paidWith: cardView.nullable(),
  period: z.strictObject({ from: moment, to: moment }).nullable(),
})
export type InvoiceView = z.infer<typeof invoiceView>

export const subscriptionShapes = {
  cancelSubscription: {
    summary: 'Cancel: nothing more is charged; 202 while it cannot be carried out yet',
    answer: subscriptionView,
  },
  keepSubscription: { summary: 'Take a cancellation back before the end', answer: subscriptionView },
  setUpCard: { summary: 'A set-up to save another card; nothing is charged', answer: cardSetup },
  saveCard: {
    summary: 'Charge this card from now on; pays what is owed',
    request: savedCard,
    answer: cardSaved,
  },
  payOwed: {
    summary: 'Pay what is owed with the method on file',
    request: owedPayment,
    answer: cardSaved,
  },
  requestMoneyBack: { summary: 'Ask for the money back (A-07)', answer: subscriptionView },
  withdraw: {
    summary: 'Withdraw from the contract where the law gives that right (H-02)',
    answer: subscriptionView,
  },
  invoices: {
    summary: 'Every payment of the account',
    answer: z.strictObject({ invoices: z.array(invoiceLine) }),
  },
  invoice: { summary: 'One invoice', answer: invoiceView },
}

import { z } from 'zod'
import type {
  CardSaved,
  CardSetup,
  CardView,
  InvoiceLine,
  InvoiceView,
  SubscriptionView,
} from '../../contract/members.ts'

/** Shapes of the answers, for the API document. */
const cents = z.number().int()
export const cardView: z.ZodType<CardView> = z.union([
  z.object({ type: z.literal('card'), brand: z.string(), last4: z.string(), expires: z.string() }),
  z.object({ type: z.literal('paypal') }),
])
const kind = z.enum(['guarantee', 'withdrawal'])
export const subscriptionView: z.ZodType<SubscriptionView> = z.object({
  id: z.uuid(),
  state: z.enum(['starting', 'trial', 'active', 'ending', 'paused', 'late', 'unpaid', 'cancelling', 'ended']),
  nextCharge: z.object({ amount: cents, at: z.iso.datetime() }).nullable(),
  collecting: z.boolean(),
  paidUntil: z.iso.datetime().nullable(),
  resumesAt: z.iso.datetime().nullable(),
  accessUntil: z.iso.datetime().nullable(),
  everyDays: z.number().int(),
  owed: cents.nullable(),
  paidWith: cardView.nullable(),
  moneyBack: z.object({
    until: z.iso.datetime().nullable(),
    listened: z.number().int(),
    needed: z.number().int(),
    eligible: z.boolean(),
    amount: cents,
    request: z
      .object({
        kind,
        status: z.enum(['open', 'refunding', 'refunded', 'incomplete', 'declined']),
        requestedAt: z.iso.datetime(),
        answerBy: z.iso.datetime(),
        amount: cents,
        refunded: cents,
        pending: cents,
        withBank: cents,
        open: cents,
        reason: z.string().nullable(),
      })
      .nullable(),
  }),
  withdrawUntil: z.iso.datetime().nullable(),
})
export const cardSetup: z.ZodType<CardSetup> = z.object({ clientSecret: z.string(), setupIntentId: z.string() })
export const cardSaved: z.ZodType<CardSaved> = z.object({
  result: z.enum(['saved', 'paid', 'owed']),
  subscription: subscriptionView,
})
const line = {
  id: z.uuid(),
  at: z.iso.datetime(),
  what: z.string(),
  amount: cents,
  refunded: cents,
}
export const invoiceLine: z.ZodType<InvoiceLine> = z.object(line)
export const invoiceView: z.ZodType<InvoiceView> = z.object({
  ...line,
  number: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  paidWith: cardView.nullable(),
  period: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
})
export const saveCardBody: z.ZodType<{ setupIntentId: string }> = z.object({
  setupIntentId: z
    .string()
    .max(255)
    .regex(/^seti_[A-Za-z0-9]+$/),
})

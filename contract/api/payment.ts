/** The first payment, by card or PayPal, and how a payment is settled. */
import { z } from 'zod'
import { marketingChoice, orderedProduct, orderEvidence } from './order.ts'
import { cents, done, emailText, paymentMessage, paymentMethodType, productId, text } from './parts.ts'
import { nextPage } from './visit.ts'

/** Money is strict: an unknown field (an amount, a customer) is refused, not ignored. */
const order = { productId: orderedProduct, ...orderEvidence.shape, ...marketingChoice }

/** A Stripe payment or setup intent, by its id only: a client secret must not be sent here. */
export const intentId = z
  .string()
  .max(255)
  .regex(/^(pi|seti)_[A-Za-z0-9]+$/)

const customerRequest = z.object({ email: emailText, name: text(200).exactOptional() })

const initialPaymentRequest = z.strictObject({ ...order, paymentMethodType })
export type InitialPaymentRequest = z.infer<typeof initialPaymentRequest>
/** A trial: the set-up itself costs nothing (value 0). */
const paypalSetupRequest = z.strictObject(order)
export type PaypalSetupRequest = z.infer<typeof paypalSetupRequest>

/** P-02: the payment result of the specification. Ids of customers and methods stay on the server. */
const paymentResult = z.strictObject({
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'succeeded',
    'canceled',
    'requires_capture',
  ]),
  paymentIntentId: z.string(),
  clientSecret: z.string(),
  paymentMethodType,
  message: paymentMessage.exactOptional(),
})
export type PaymentResult = z.infer<typeof paymentResult>

const settled = {
  /** pending: Stripe has not decided yet, or it took too long: ask GET …/payments/{id} again. */
  status: z.enum(['settled', 'pending']),
  /** What was ordered; null while it is pending. */
  productId: productId.nullable(),
  nextPage,
}
const finalizeRequest = z.strictObject({ paymentIntentId: intentId })
export const finalizeResponse = z.strictObject(settled)
export type FinalizeResponse = z.infer<typeof finalizeResponse>

const finalizeSetupRequest = z.strictObject({ setupIntentId: intentId })
const finalizeSetupResponse = z.strictObject({
  ...settled,
  /** Null while the subscription is still being created; the payment is safe even then. */
  subscriptionId: z.string().nullable(),
})
export type FinalizeSetupResponse = z.infer<typeof finalizeSetupResponse>

/** P-07: a return that lands in another browser proves itself once by the secret in its address. */
const claimReturnRequest = z.object({ clientSecret: z.string().max(500) })
const claimReturnResponse = z.strictObject({ ...settled, sessionId: z.uuid() })
export type ClaimReturnResponse = z.infer<typeof claimReturnResponse>

/** P-09: the price of a product as it would be charged now. */
const priceView = z.strictObject({
  productId,
  amount: cents,
  currency: z.string(),
  source: z.enum(['stripe', 'fallback']),
})
export type PriceView = z.infer<typeof priceView>

export const paymentShapes = {
  customer: {
    summary: 'Get or create the Stripe customer of session and e-mail address (P-01)',
    request: customerRequest,
    answer: done,
  },
  initialPayment: {
    summary: 'The open first payment of the session (P-02)',
    request: initialPaymentRequest,
    answer: paymentResult,
  },
  finalizePayment: {
    summary: 'Settle a payment now instead of waiting for the webhook (P-04)',
    request: finalizeRequest,
    answer: finalizeResponse,
  },
  payment: {
    summary: 'Whether a payment is settled (asked again while finalize says pending)',
    answer: finalizeResponse,
  },
  paypalSetup: {
    summary: 'Open a PayPal set-up of value 0 (P-06); paymentIntentId is the set-up intent',
    request: paypalSetupRequest,
    answer: paymentResult,
  },
  finalizePaypalSetup: {
    summary: 'Start the subscription of a PayPal set-up at value 0 (P-06)',
    request: finalizeSetupRequest,
    answer: finalizeSetupResponse,
  },
  claimReturn: {
    summary: 'Open the session of a payment return in the browser that it landed in, once (P-07)',
    request: claimReturnRequest,
    answer: claimReturnResponse,
  },
  price: { summary: 'The price of a product at Stripe (P-09)', answer: priceView },
}

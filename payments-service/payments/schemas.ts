/** Pieces of bodies and answers about a payment that every way to buy shares. */
import { z } from 'zod'
import type { FinalizeResponse, PaymentResult } from '../../contract/api.ts'
import { PRODUCT_IDS } from '../../contract/catalogue.ts'
import { text } from '../http/schemas.ts'
import { nextPage } from '../sessions/schemas.ts'

export const method = z.enum(['card', 'paypal'])
/** C-11: the box beside the button. */
export const marketing = {
  marketingConsent: z.boolean().exactOptional(),
  marketing: z.object({ wording: text(2_000), version: text(100), preticked: z.boolean() }).exactOptional(),
}
/** A payment or setup intent of Stripe, by its id alone: a client secret has no business here. */
export const intentId = z
  .string()
  .max(255)
  .regex(/^(pi|seti)_[A-Za-z0-9]+$/)

export const paymentResult: z.ZodType<PaymentResult> = z.object({
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
  paymentMethodType: method,
  message: z.string().exactOptional() as unknown as z.ZodType<Exclude<PaymentResult['message'], undefined>>,
})
export const finalizeAnswer: z.ZodType<FinalizeResponse> = z.object({
  status: z.enum(['settled', 'pending']),
  productId: z.enum(PRODUCT_IDS).nullable(),
  nextPage,
})

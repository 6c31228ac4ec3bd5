/** Pieces of bodies and answers that several areas share. */
import { z } from 'zod'
import { ADD_ON_IDS, PRODUCT_IDS } from '../catalogue.ts'
import type { ErrorCode } from '../errors.ts'
import { PAYMENT_MESSAGES, type PaymentMessageCode } from '../payment-messages.ts'

/** PostgreSQL's text cannot hold a NUL. */
const storable = [(value: string) => !value.includes('\0'), 'holds a NUL'] as const
export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine(...storable)
export const trimmedText = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .refine(...storable)

/** Whether it is a valid address is checked by email.ts, with its own error. */
export const emailText = text(400)
export const cents = z.number().int()
export const moment = z.iso.datetime()
export const productId = z.enum(PRODUCT_IDS)
export const addOnId = z.enum(ADD_ON_IDS)
export const paymentMethodType = z.enum(['card', 'paypal'])
export type PaymentMethodType = z.infer<typeof paymentMethodType>
export const paymentMessage = z.enum(Object.keys(PAYMENT_MESSAGES) as PaymentMessageCode[])

/** An issue of a body that is refused with its own error code instead of invalid_body. */
export function refusedAs(code: ErrorCode): { code: 'custom'; params: { code: ErrorCode } } {
  return { code: 'custom', params: { code } }
}

/** The code of an issue from `refusedAs`; undefined for any other. */
export function refusedCode({ params }: z.core.$ZodIssueCustom): ErrorCode | undefined {
  return params?.['code'] as ErrorCode | undefined
}

/** The answer of a call that returns nothing. */
export const done = z.strictObject({ done: z.literal(true) })
export type Done = z.infer<typeof done>

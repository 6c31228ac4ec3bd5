/** The part of every order that does not depend on the way it is paid. */
import { z } from 'zod'
import { isAddOnId, PRODUCT_IDS, resolveProductId } from '../catalogue.ts'
import { refusedAs, text } from './parts.ts'

const amount = z.number().int().min(0)

/**
 * The figures beside a pay button: what an order agrees to (H-01, H-03). The page and the service both compute them
 * with `shownTerms`; an order carries the page's, and the service refuses any that differ from what would be charged.
 */
export const termsShown = z.strictObject({
  /** Charged now, in cents. */
  now: amount,
  /** The first full charge: its amount, its day in `timeZone` (YYYY-MM-DD), the days between later ones; null: none. */
  firstFull: z.strictObject({ amount, on: z.iso.date(), everyDays: z.number().int().min(1) }).nullable(),
  /** IANA name of the time zone of the page's days. */
  timeZone: z.string().max(100),
})
export type ShownTerms = z.infer<typeof termsShown>

/** H-03: the terms in the words beside the button, stored as evidence of what was agreed to. */
const agreementText = z.object({
  words: text(10_000).min(1),
  version: text(100).min(1),
  /** Path only. */
  page: text(200),
})
export type AgreementText = z.infer<typeof agreementText>

/**
 * The figures and the words that the page showed. Answers terms_changed with the true figures if they differ from what
 * would be charged; then no payment is opened.
 */
export const orderEvidence = z.strictObject({ shown: termsShown, agreement: agreementText })
export type OrderEvidence = z.infer<typeof orderEvidence>

/** C-11: the marketing checkbox beside the button. */
export const marketingChoice = {
  /** Counts only with a submitted order. */
  marketingConsent: z.boolean().exactOptional(),
  /** The words beside the box and whether it was ticked before the visitor came; evidence with the consent. */
  marketing: z.object({ wording: text(2_000), version: text(100), preticked: z.boolean() }).exactOptional(),
}

/** A product of the catalogue. Refused as unknown_product. */
export const orderedProduct = z
  .string()
  .max(100)
  .transform((id, context) => {
    const found = PRODUCT_IDS.find((one) => one === id)
    if (!found) context.addIssue(refusedAs('unknown_product'))
    return found ?? z.NEVER
  })

/** An add-on by its id or by the id of the thank-you catalogue (P-13). Refused as unknown_product. */
export const orderedAddOn = z
  .string()
  .max(100)
  .transform((id, context) => {
    const found = resolveProductId(id)
    if (found && isAddOnId(found)) return found
    context.addIssue(refusedAs('unknown_product'))
    return z.NEVER
  })

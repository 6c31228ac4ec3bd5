import type Stripe from 'stripe'
import { ask, isFailure } from './failure.ts'

/**
 * Objects that refer to what they belong to, and are read again when an event of another API version lacks the
 * reference.
 */
export type LinkedObject =
  'charge' | 'refund' | 'dispute' | 'invoice' | 'discount' | 'invoiceitem' | 'subscription_schedule'

type Id = string | { id: string } | null | undefined
const idOf = (value: Id): string | null => (typeof value === 'object' && value !== null ? value.id : (value ?? null))

/**
 * The payment intent of a charge, refund or dispute, the subscription of an invoice or a schedule, or the customer of
 * an invoice item, as Stripe has it in our version. Null: it has none, or the object is gone. Throws StripeFailure.
 */
export async function readLink(
  sdk: Stripe,
  kind: LinkedObject,
  id: string,
  options: Stripe.RequestOptions,
): Promise<string | null> {
  try {
    switch (kind) {
      case 'charge':
        return idOf((await ask(() => sdk.charges.retrieve(id, {}, options))).payment_intent)
      case 'refund':
        return idOf((await ask(() => sdk.refunds.retrieve(id, {}, options))).payment_intent)
      case 'dispute':
        return idOf((await ask(() => sdk.disputes.retrieve(id, {}, options))).payment_intent)
      case 'invoice':
        return idOf(
          (await ask(() => sdk.invoices.retrieve(id, {}, options))).parent?.subscription_details?.subscription,
        )
      case 'invoiceitem':
        return idOf((await ask(() => sdk.invoiceItems.retrieve(id, {}, options))).customer)
      case 'subscription_schedule':
        return idOf((await ask(() => sdk.subscriptionSchedules.retrieve(id, {}, options))).subscription)
      case 'discount':
        // cannot be read by its id (docs.stripe.com/api/discounts/object); one that names no customer is a
        // subscription's
        return null
    }
  } catch (error) {
    if (isFailure(error, 'missing')) return null
    throw error
  }
}

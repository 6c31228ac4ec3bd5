/** What each status of a payment intent or set-up means here. */
import type Stripe from 'stripe'

/** The values that the SDK names, without the `string` that it adds to the type for later ones. */
export type Named<Text extends string> = Text extends string ? (string extends Text ? never : Text) : never
export type IntentStatus = Named<Stripe.PaymentIntent['status'] | Stripe.SetupIntent['status']>

export interface IntentMeaning {
  /** settled: paid or saved. pending: the bank decides. failed: it needs another try, or is over. */
  state: 'settled' | 'pending' | 'failed'
  /** Stripe will never change it again: its row is closed. */
  over: boolean
}

const means = (state: IntentMeaning['state'], over: boolean): IntentMeaning => ({ state, over })

/**
 * https://docs.stripe.com/payments/paymentintents/lifecycle; if the SDK adds a status, this does not compile until it
 * has a line.
 */
export const INTENT_STATUS: Record<IntentStatus, IntentMeaning> = {
  requires_payment_method: means('failed', false),
  requires_confirmation: means('failed', false),
  requires_action: means('failed', false),
  processing: means('pending', false),
  requires_capture: means('pending', false),
  succeeded: means('settled', true),
  canceled: means('failed', true),
}

/**
 * An unknown status of a later API version counts as undecided: no one pays twice because of it, and nothing is closed.
 */
export function meaningOfIntent(status: IntentStatus): IntentMeaning {
  return (INTENT_STATUS as Partial<typeof INTENT_STATUS>)[status] ?? means('pending', false)
}

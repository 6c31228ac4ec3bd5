/**
 * Everything the service asks of Stripe, one function per question. Throws StripeFailure (failure.ts) and no other
 * error of the SDK.
 */
import type Stripe from 'stripe'
import type { Config } from '../config.ts'
import { customerCalls } from './gateway.customers.ts'
import { eventCalls } from './gateway.events.ts'
import { intentCalls } from './gateway.intents.ts'
import { invoiceCalls } from './gateway.invoices.ts'
import { refundCalls } from './gateway.refunds.ts'
import { subscriptionCalls } from './gateway.subscriptions.ts'
import { createSdk } from './sdk.ts'

export type StripeGateway = ReturnType<typeof createGateway>

/** `watch` may wrap the client (failpoints.ts). */
export function createGateway(config: Config['stripe'], watch: (sdk: Stripe) => Stripe = (sdk) => sdk) {
  const sdk = watch(createSdk(config))
  return {
    ...customerCalls(sdk),
    ...intentCalls(sdk),
    ...refundCalls(sdk),
    ...subscriptionCalls(sdk),
    ...invoiceCalls(sdk),
    ...eventCalls(sdk),
  }
}

/**
 * Everything the service asks of Stripe, one function per question. Throws StripeFailure (failure.ts) and no other
 * error of the SDK.
 */
import type { Config } from '../config.ts'
import { type Around, aroundCalls } from './calls.ts'
import { customerCalls } from './gateway.customers.ts'
import { eventCalls } from './gateway.events.ts'
import { intentCalls } from './gateway.intents.ts'
import { invoiceCalls } from './gateway.invoices.ts'
import { refundCalls } from './gateway.refunds.ts'
import { subscriptionCalls } from './gateway.subscriptions.ts'
import { createSdk } from './sdk.ts'

export type StripeGateway = ReturnType<typeof createGateway>

/** Every call runs inside of each of `around`. */
export function createGateway(config: Config['stripe'], ...around: readonly Around[]) {
  const sdk = around.reduce(aroundCalls, createSdk(config))
  return {
    ...customerCalls(sdk),
    ...intentCalls(sdk),
    ...refundCalls(sdk),
    ...subscriptionCalls(sdk),
    ...invoiceCalls(sdk),
    ...eventCalls(sdk),
  }
}

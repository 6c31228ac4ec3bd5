import type { InitialPaymentRequest, NextPage, PaymentResult } from '../../contract/api.ts'
import type { ProductId } from '../../contract/catalogue.ts'
import type { call } from '../session/client.ts'
import { isSessionLost, isTemporary, type Failure } from '../session/http.ts'
import {
  THROWN,
  trouble,
  troubleOfCall,
  troubleOfProvider,
  troubleOfStatus,
  type ProviderError,
  type Trouble,
} from './failures.ts'

/** How an order ends, as the screen needs it. */
export type PayResult =
  | { kind: 'settled'; productId: ProductId | null; nextPage: NextPage }
  /** Stripe has not decided in the time we wait: stay, say so, keep checking. */
  | { kind: 'processing'; paymentIntentId: string }
  | { kind: 'failed'; trouble: Trouble }
  /** `paid`: lost after the payment was confirmed. */
  | { kind: 'session_lost'; paid?: true }

/** An intent as Stripe.js returns it after a confirmation. */
export interface ConfirmedIntent {
  id: string
  status: string
}
export interface Confirmation {
  paymentIntent?: ConfirmedIntent
  setupIntent?: ConfirmedIntent
  error?: ProviderError & { payment_intent?: ConfirmedIntent }
}

/**
 * Every call of Stripe.js that an order makes: the parts of its result that are read here. An exception is no answer of
 * Stripe's: operators read it among the errors of the pages (D-08), and nobody knows whether the payment went through.
 */
export async function confirmation(call: () => Promise<object>): Promise<Confirmation> {
  try {
    return (await call()) as Confirmation
  } catch (thrown) {
    reportError(thrown)
    return { error: { type: THROWN } }
  }
}

/** C-11: the checkbox beside the order, as it was when ordering. */
export interface MarketingChoice {
  granted: boolean
  wording: string
  version: string
  preticked: boolean
}

export interface Order {
  sessionId: string
  productId: ProductId
  email: string
  name: string
  /** What the buyer was asked about marketing; null where the page does not ask (C-11). */
  marketing: MarketingChoice | null
  /** The figures and the words beside the button. */
  shown: InitialPaymentRequest['shown']
  agreement: InitialPaymentRequest['agreement']
}

/** What an order needs from its surroundings; tests bring their own. */
export interface PayWorld {
  call: typeof call
  wait(ms: number): Promise<void>
  /** Confirms the card with Stripe.js (3-D Secure opens by itself). */
  confirm(intent: PaymentResult): Promise<Confirmation>
  /** What is under way, for the screen. */
  onPhase?(phase: 'preparing' | 'confirming' | 'leaving' | 'finishing'): void
}

/** Waits between checks of a payment that is not settled yet: about a minute in all. */
export const SETTLE_WAITS_MS: readonly number[] = [
  1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 8_000, 10_000, 12_000, 14_000,
]

/**
 * C-13, P-02…P-04: one card order from the button to the next page. Every step may be repeated: the service keeps one
 * open intent per session and purpose, so a second click, a retry after a lost network or a reload never charges twice.
 */
export async function payByCard(world: PayWorld, order: Order): Promise<PayResult> {
  const path = { sessionId: order.sessionId }
  world.onPhase?.('preparing')
  const customer = await world.call('customer', { path, body: { email: order.email, name: order.name } })
  if (!customer.ok) return refused(world, customer, order.sessionId, 'customer_setup_failed')

  const opened = await world.call('initialPayment', { path, body: requestOf(order, 'card') })
  if (!opened.ok) return refused(world, opened, order.sessionId, 'payment_setup_failed')
  const intent = opened.data
  if (!intent.clientSecret) return { kind: 'failed', trouble: trouble('not_initialized') }
  // an earlier attempt of this order may have gone through although its answer was lost
  if (intent.status === 'succeeded' || intent.status === 'processing')
    return settle(world, order.sessionId, intent.paymentIntentId)

  world.onPhase?.('confirming')
  const confirmed = await world.confirm(intent)
  const paid = confirmed.paymentIntent ?? confirmed.error?.payment_intent
  if (paid?.status === 'succeeded' || paid?.status === 'processing') return settle(world, order.sessionId, paid.id)
  if (confirmed.error?.code?.endsWith('_intent_unexpected_state')) return overtaken(world, order.sessionId)
  if (confirmed.error) return { kind: 'failed', trouble: troubleOfProvider(confirmed.error) }
  if (!paid) return { kind: 'failed', trouble: trouble('no_payment_intent', {}, 'unknown') }
  // section 4 words it apart for the first payment; a card intent left like this is replaced by the next attempt
  if (paid.status === 'requires_action') return { kind: 'failed', trouble: trouble('further_action_required') }
  return { kind: 'failed', trouble: troubleOfStatus(paid.status) }
}

/**
 * P-14: another tab has paid or has switched to another product: this intent is finished, and the session says what to
 * do.
 */
async function overtaken(world: Pick<PayWorld, 'call'>, sessionId: string): Promise<PayResult> {
  const session = await world.call('session', { path: { sessionId } })
  if (session.ok && session.data.paymentStatus === 'paid') {
    return { kind: 'settled', productId: null, nextPage: session.data.nextPage }
  }
  return { kind: 'failed', trouble: trouble('payment_session_expired') }
}

export function requestOf(order: Order, paymentMethodType: 'card' | 'paypal'): InitialPaymentRequest {
  const { productId, shown, agreement, marketing } = order
  if (!marketing) return { productId, paymentMethodType, shown, agreement }
  const { granted, ...evidence } = marketing
  return { productId, paymentMethodType, shown, agreement, marketingConsent: granted, marketing: evidence }
}

/**
 * Handles a refusal by the service: a paid session moves on, a lost one says so, anything else gets the step's message.
 */
export async function refused(
  world: Pick<PayWorld, 'call'>,
  failed: Failure,
  sessionId: string,
  fallback: Parameters<typeof troubleOfCall>[1],
): Promise<PayResult> {
  if (failed.code === 'already_paid') {
    const session = await world.call('session', { path: { sessionId } })
    if (session.ok) return { kind: 'settled', productId: null, nextPage: session.data.nextPage }
  }
  if (isSessionLost(failed)) return { kind: 'session_lost' }
  return { kind: 'failed', trouble: troubleOfCall(failed, fallback) }
}

/**
 * P-04: asks the service to settle a payment until it is, with growing waits. An unreachable service is asked again
 * too; what Stripe has charged is settled by webhook and reconciler in any case.
 */
export async function settle(
  world: Pick<PayWorld, 'call' | 'wait' | 'onPhase'>,
  sessionId: string,
  paymentIntentId: string,
): Promise<PayResult> {
  world.onPhase?.('finishing')
  let unreachable = 0
  for (let look = 0; ; look++) {
    const outcome = await world.call('finalizePayment', { path: { sessionId }, body: { paymentIntentId } })
    if (outcome.ok && outcome.data.status === 'settled') {
      return { kind: 'settled', productId: outcome.data.productId, nextPage: outcome.data.nextPage }
    }
    if (!outcome.ok && !isTemporary(outcome)) {
      if (outcome.code === 'already_paid') return refused(world, outcome, sessionId, 'finalize_record_failed')
      if (isSessionLost(outcome)) return { kind: 'session_lost', paid: true }
      const money = outcome.code === 'already_subscribed' ? ('returned' as const) : ('unknown' as const)
      return { kind: 'failed', trouble: { ...troubleOfCall(outcome, 'finalize_record_failed'), money } }
    }
    unreachable = outcome.ok ? 0 : unreachable + 1
    const wait = SETTLE_WAITS_MS[look]
    if (wait === undefined) {
      return unreachable > 0
        ? { kind: 'failed', trouble: trouble('processed_not_finalized') }
        : { kind: 'processing', paymentIntentId }
    }
    await world.wait(wait)
  }
}

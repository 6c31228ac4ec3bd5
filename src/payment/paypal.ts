import type { Stripe } from '@stripe/stripe-js'
import type { SessionView } from '../../contract/api.ts'
import { isTrialId, product, type ProductId } from '../../contract/catalogue.ts'
import { type Cents, formatMoney, obligationToPay } from '../../contract/money.ts'
import { trouble, troubleOfCall, type ProviderError, type Trouble } from './failures.ts'
import { leaving } from './leave.ts'
import { confirmation, refused, requestOf, settle, type Order, type PayResult, type PayWorld } from './pay.ts'

/**
 * C-14: PayPal is offered only for the four trial products, only with a stored customer, and only where the account
 * supports it.
 */
export function offersPaypal(
  productId: ProductId,
  session: Pick<SessionView, 'hasCustomer'>,
  available: boolean,
): boolean {
  return available && session.hasCustomer && isTrialId(productId)
}

/** Where PayPal sends the buyer back to (P-07). */
export function paypalReturnPath(productId: ProductId, sessionId: string): string {
  const page = product(productId).kind === 'special_offer' ? 'special-offer-paypal-return' : 'paypal-trial-return'
  return `/${page}/${sessionId}`
}

/**
 * P-06: whether PayPal only sets a trial up today ('$0 today'); the special offer and the
 * monthly price are always paid.
 */
export function paysNothingToday(productId: ProductId, setupOffered: boolean): boolean {
  return setupOffered && isTrialId(productId)
}

/** H-02: what PayPal's button says beside its mark, where the law wants words on a button that orders. */
export function paypalWords(price: Cents, free: boolean): string {
  const words = obligationToPay(price)
  // "$0" would take back what the rest says
  return free ? words.replace(` ${formatMoney(price)}`, '') : words
}

export interface PaypalWorld extends Omit<PayWorld, 'confirm'> {
  origin: string
  /** stripe.confirmPayPalPayment: leaves the page on success; no error where it is still there, or again. */
  confirmPaypal(clientSecret: string, returnUrl: string): Promise<{ error?: ProviderError }>
  /** stripe.confirmPayPalSetup, likewise. */
  confirmPaypalSetup(clientSecret: string, returnUrl: string): Promise<{ error?: ProviderError }>
}

/**
 * C-14: saves the name and address typed in the form as the buyer's before the page is left; null when they are saved.
 */
async function keepBuyer(world: PaypalWorld, { sessionId, email, name }: Order): Promise<PayResult | null> {
  world.onPhase?.('preparing')
  const body = { email, ...(name ? { name } : {}) }
  const kept = await world.call('customer', { path: { sessionId }, body })
  return kept.ok ? null : refused(world, kept, sessionId, 'customer_setup_failed')
}

/** Why the page was not left for PayPal. Nothing is charged before the buyer agrees there. */
const stayed = ({ message }: ProviderError, otherwise: 'paypal_failed' | 'paypal_setup_failed'): Trouble =>
  message ? trouble('paypal_error_reason', { reason: message }) : trouble(otherwise)

/**
 * P-06: opens the PayPal set-up of a trial (value 0) and leaves for PayPal, which returns to /paypal-setup-return. A
 * set-up already approved is settled at once.
 */
export async function setUpPaypal(world: PaypalWorld, order: Order): Promise<PayResult | { kind: 'left' }> {
  const stopped = await keepBuyer(world, order)
  if (stopped) return stopped
  const { paymentMethodType: _, ...body } = requestOf(order, 'paypal')
  const opened = await world.call('paypalSetup', { path: { sessionId: order.sessionId }, body })
  if (!opened.ok) return refused(world, opened, order.sessionId, 'paypal_init_failed')
  const { status, clientSecret, paymentIntentId } = opened.data
  if (status === 'succeeded' || status === 'processing') return settle(world, order.sessionId, paymentIntentId)
  if (!clientSecret) return { kind: 'failed', trouble: trouble('paypal_init_failed') }
  world.onPhase?.('leaving')
  const back = `${world.origin}/paypal-setup-return/${order.sessionId}`
  const { error } = await world.confirmPaypalSetup(clientSecret, back)
  if (!error) return { kind: 'left' }
  return { kind: 'failed', trouble: stayed(error, 'paypal_setup_failed') }
}

/** C-14: opens the PayPal payment of the tier price and leaves for PayPal. 'left' = and the page is still there. */
export async function payByPaypal(world: PaypalWorld, order: Order): Promise<PayResult | { kind: 'left' }> {
  const stopped = await keepBuyer(world, order)
  if (stopped) return stopped
  const opened = await world.call('initialPayment', {
    path: { sessionId: order.sessionId },
    body: requestOf(order, 'paypal'),
  })
  if (!opened.ok) {
    if (opened.kind === 'refused' && opened.code === 'internal') {
      return { kind: 'failed', trouble: troubleOfCall(opened, 'paypal_init_failed') }
    }
    return refused(world, opened, order.sessionId, 'paypal_init_failed')
  }
  const { status, clientSecret, paymentIntentId } = opened.data
  if (status === 'succeeded' || status === 'processing') return settle(world, order.sessionId, paymentIntentId)
  if (!clientSecret) return { kind: 'failed', trouble: trouble('paypal_init_failed') }
  world.onPhase?.('leaving')
  const back = `${world.origin}${paypalReturnPath(order.productId, order.sessionId)}`
  const { error } = await world.confirmPaypal(clientSecret, back)
  if (!error) return { kind: 'left' }
  return { kind: 'failed', trouble: stayed(error, 'paypal_failed') }
}

/**
 * The wallet is charged again later, after a payment as after a set-up, so the buyer's permission is stated
 * (docs.stripe.com/payments/paypal/set-up-future-payments).
 */
const accepted = (returnUrl: string) => ({
  return_url: returnUrl,
  mandate_data: { customer_acceptance: { type: 'online' as const, online: { infer_from_client: true } } },
})

/** The ways to PayPal by Stripe.js. */
export const leavingBy = (stripe: Stripe): Pick<PaypalWorld, 'origin' | 'confirmPaypal' | 'confirmPaypalSetup'> => ({
  origin: location.origin,
  confirmPaypal: (clientSecret, returnUrl) =>
    leaving(confirmation(() => stripe.confirmPayPalPayment(clientSecret, accepted(returnUrl)))),
  confirmPaypalSetup: (clientSecret, returnUrl) =>
    leaving(confirmation(() => stripe.confirmPayPalSetup(clientSecret, accepted(returnUrl)))),
})

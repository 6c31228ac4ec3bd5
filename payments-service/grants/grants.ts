import { isAddOnId } from '../../contract/catalogue.ts'
import { meaningOf } from '../subscriptions/status.ts'

/** What is known of one payment of a session, added up from its facts. Amounts are cents. */
export interface PaymentState {
  intentId: string
  purpose: string
  productId: string
  amount: number
  duplicate: boolean
  refunded: number
  disputesOpen: number
  disputesLost: number
}

export interface SubscriptionState {
  status: string
  sourceIntentId: string | null
}

export type GrantedVia = 'initial_purchase' | 'upsell' | 'paypal_trial_subscription' | 'reading'

export interface Grant {
  productId: string
  via: GrantedVia
  sourceIntentId: string
}

export type SessionMoney = 'unpaid' | 'paid' | 'refunded' | 'disputed'

/** Money that is still ours: not wholly refunded, no dispute lost. A value-0 PayPal start counts as paid (P-06). */
function stands(payment: PaymentState): boolean {
  if (payment.disputesLost > 0) return false
  return payment.amount === 0 || payment.refunded < payment.amount
}

/**
 * P-12: what a session may open: a pure function of its payments and its subscription. The programme is open while some
 * payment for it stands and the subscription lives; add-ons and readings are for life and end with their own refund or
 * lost dispute. Duplicates open nothing.
 */
export function grantsOf(payments: readonly PaymentState[], subscription: SubscriptionState | null): Grant[] {
  const counted = payments.filter((payment) => !payment.duplicate)
  const grants: Grant[] = []

  const first = counted.find(({ purpose }) => purpose === 'first')
  if (first && chainOf(payments).some(stands) && (!subscription || meaningOf(subscription.status).access)) {
    grants.push({
      productId: first.productId,
      via: first.amount === 0 ? 'paypal_trial_subscription' : 'initial_purchase',
      sourceIntentId: first.intentId,
    })
  }
  for (const payment of counted) {
    const { purpose, productId, intentId } = payment
    if (!stands(payment)) continue
    if (purpose === 'reading') grants.push({ productId, via: 'reading', sourceIntentId: intentId })
    if (purpose.startsWith('upsell:') && isAddOnId(productId)) {
      grants.push({ productId, via: 'upsell', sourceIntentId: intentId })
    }
  }
  return grants
}

/** Payments for the programme: the first one and the renewals of its subscription. */
function chainOf(payments: readonly PaymentState[]): PaymentState[] {
  return payments.filter(
    ({ purpose, duplicate }) => !duplicate && (purpose === 'first' || purpose.startsWith('renewal:')),
  )
}

/**
 * P-12: whether all that was paid for the programme went back whole, or was lost in disputes: its subscription opens
 * nothing any more and must not charge again. False while nothing was paid.
 */
export function programmeGivenBack(payments: readonly PaymentState[]): boolean {
  const chain = chainOf(payments)
  return chain.length > 0 && !chain.some(stands)
}

/** What sessions.payment_status says: the state of the money for the programme (or the reading, where that was bought). */
export function sessionMoneyOf(payments: readonly PaymentState[]): SessionMoney {
  const counted = payments.filter(({ purpose, duplicate }) => !duplicate && !purpose.startsWith('upsell:'))
  if (counted.length === 0) return 'unpaid'
  if (counted.some(({ disputesOpen, disputesLost }) => disputesOpen > 0 || disputesLost > 0)) return 'disputed'
  return counted.some(stands) ? 'paid' : 'refunded'
}

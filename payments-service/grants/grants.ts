import { isAddOnId } from '../../contract/catalogue.ts'
import { disputeEffect, type DisputeStatus } from '../stripe/dispute-status.ts'
import { meaningOf } from '../stripe/subscription-status.ts'

/** The state of one payment of a session, added up from its facts. Amounts are cents. */
export interface PaymentState {
  intentId: string
  purpose: string
  productId: string
  amount: number
  duplicate: boolean
  /** What the bank has agreed to refund, and what it has been asked for. */
  refunded: number
  refunding: number
  /** What an operator has paid back in another way. */
  otherwise: number
  /** The present state of its disputes. */
  disputes: readonly DisputeStatus[]
  /** Whether a dispute of it was ever lost, even if it was won since. */
  wasLost: boolean
}

export interface SubscriptionState {
  status: string
  sourceIntentId: string | null
  /** It has ended, and is open for the time that a dispute, won in the end, had taken. */
  reopened: boolean
}

export type GrantedVia = 'initial_purchase' | 'upsell' | 'paypal_trial_subscription' | 'reading'

export interface Grant {
  productId: string
  via: GrantedVia
  sourceIntentId: string
}

export type SessionMoney = 'unpaid' | 'paid' | 'refunded' | 'disputed'

/** Whether the bank has given the money to the buyer. */
export const isTaken = ({ disputes }: PaymentState): boolean => disputes.some((one) => disputeEffect(one) === 'taken')
/** Whether the bank holds the money until it decides. */
export const isHeld = ({ disputes }: PaymentState): boolean => disputes.some((one) => disputeEffect(one) === 'held')

/**
 * Whether the money is still ours: no dispute lost, not fully refunded or being refunded (a refund that fails returns
 * it), or paid back in another way. A value-0 PayPal start counts as paid (P-06).
 */
function stands(payment: PaymentState): boolean {
  if (isTaken(payment)) return false
  return payment.amount === 0 || payment.refunded + payment.refunding + payment.otherwise < payment.amount
}

/**
 * P-12: what a session may open: a pure function of its payments and its subscription. The programme is open while the
 * subscription lives and until its money is given back; add-ons and readings are for life and end only with their own
 * refund or lost dispute. Duplicates open nothing.
 */
export function grantsOf(payments: readonly PaymentState[], subscription: SubscriptionState | null): Grant[] {
  const counted = payments.filter((payment) => !payment.duplicate)
  const grants: Grant[] = []

  const first = counted.find(({ purpose }) => purpose === 'first')
  if (
    first &&
    !programmeGivenBack(payments) &&
    (!subscription || subscription.reopened || meaningOf(subscription.status).access)
  ) {
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
export function chainOf(payments: readonly PaymentState[]): PaymentState[] {
  return payments.filter((payment) => !payment.duplicate && isProgramme(payment))
}

function isProgramme({ purpose }: PaymentState): boolean {
  return purpose === 'first' || purpose.startsWith('renewal:')
}

/** P-12: why a product is closed: the first reason that holds. The programme's payments count together. */
export function endReasonOf(productId: string, payments: readonly PaymentState[]): string {
  const own = payments.filter((payment) => payment.productId === productId && !payment.duplicate)
  const meant = own.some(isProgramme) ? chainOf(payments) : own
  if (meant.some(isTaken)) return 'dispute_lost'
  const last = meant.at(-1)
  return last && !stands(last) ? 'refunded' : 'subscription_ended'
}

/**
 * P-12: whether the programme's money was given back: any of its charges was lost in a dispute, or the latest, which
 * pays for the current period, was refunded in full. Then its subscription opens nothing and must not charge again.
 * `payments` oldest first. False while nothing was paid.
 */
export function programmeGivenBack(payments: readonly PaymentState[]): boolean {
  const chain = chainOf(payments)
  const latest = chain.at(-1)
  return latest !== undefined && (chain.some(isTaken) || !stands(latest))
}

/** P-12: whether a lost dispute of the programme's charges has been won since: what it closed is to be reopened. */
export function programmeWonBack(payments: readonly PaymentState[]): boolean {
  return chainOf(payments).some(({ wasLost }) => wasLost) && !programmeGivenBack(payments)
}

/**
 * What sessions.payment_status says: the state of the money for the programme (or the reading, where that was bought).
 */
export function sessionMoneyOf(payments: readonly PaymentState[]): SessionMoney {
  const counted = payments.filter(({ purpose, duplicate }) => !duplicate && !purpose.startsWith('upsell:'))
  if (counted.length === 0) return 'unpaid'
  if (counted.some((payment) => isHeld(payment) || isTaken(payment))) return 'disputed'
  const over = programmeGivenBack(payments)
  return counted.some((payment) => stands(payment) && !(over && isProgramme(payment))) ? 'paid' : 'refunded'
}

import { isAddOnId } from '../../contract/catalogue.ts'
import { disputeEffect, type DisputeStatus } from '../stripe/dispute-status.ts'
import { meaningOf } from '../stripe/subscription-status.ts'

/** What is known of one payment of a session, added up from its facts. Amounts are cents. */
export interface PaymentState {
  intentId: string
  purpose: string
  productId: string
  amount: number
  duplicate: boolean
  /** What the bank has agreed to give back, and what is on its way to it. */
  refunded: number
  refunding: number
  /** Its disputes as they stand now. */
  disputes: readonly DisputeStatus[]
  /** A dispute of it was lost at some time, whatever became of it since. */
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

/** The bank gave it to the buyer. */
export const isTaken = ({ disputes }: PaymentState): boolean => disputes.some((one) => disputeEffect(one) === 'taken')
/** The bank holds it until it decides. */
export const isHeld = ({ disputes }: PaymentState): boolean => disputes.some((one) => disputeEffect(one) === 'held')

/**
 * Money that is still ours: no dispute lost, not wholly refunded or on its way back (a refund that fails brings it
 * back). A value-0 PayPal start counts as paid (P-06).
 */
function stands(payment: PaymentState): boolean {
  if (isTaken(payment)) return false
  return payment.amount === 0 || payment.refunded + payment.refunding < payment.amount
}

/**
 * P-12: what a session may open: a pure function of its payments and its subscription. The programme is open until it
 * is given back and while the subscription lives; add-ons and readings are for life and end with their own refund or
 * lost dispute. Duplicates open nothing.
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
function chainOf(payments: readonly PaymentState[]): PaymentState[] {
  return payments.filter((payment) => !payment.duplicate && isProgramme(payment))
}

function isProgramme({ purpose }: PaymentState): boolean {
  return purpose === 'first' || purpose.startsWith('renewal:')
}

/**
 * P-12: why a product is not open any more: the first reason that holds. Payments of the
 * programme count for it together.
 */
export function endReasonOf(productId: string, payments: readonly PaymentState[]): string {
  const own = payments.filter((payment) => payment.productId === productId && !payment.duplicate)
  const meant = own.some(isProgramme) ? chainOf(payments) : own
  if (meant.some(isTaken)) return 'dispute_lost'
  const last = meant.at(-1)
  return last && !stands(last) ? 'refunded' : 'subscription_ended'
}

/**
 * P-12: whether the programme was given back: any of its charges was lost in a dispute, or the latest one, which pays
 * for the period that runs, went back whole. Its subscription opens nothing any more and must not charge again.
 * `payments` oldest first. False while nothing was paid.
 */
export function programmeGivenBack(payments: readonly PaymentState[]): boolean {
  const chain = chainOf(payments)
  const latest = chain.at(-1)
  return latest !== undefined && (chain.some(isTaken) || !stands(latest))
}

/** P-12: whether a dispute of the programme's charges was lost and is won now: what it closed is to be open again. */
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

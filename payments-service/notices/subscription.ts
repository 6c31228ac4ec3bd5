/** Mails about a subscription that fails, is cancelled, or goes on after all. */
import { RENEWAL_DAYS } from '../../contract/catalogue.ts'
import {
  cents,
  common,
  type Compose,
  optional,
  optionalCents,
  paidWithSubscription,
  text,
  toSubscriber,
} from './compose.ts'
import { mailLink } from '../mail/mailed-links.ts'

/**
 * Dunning: one mail after each failure while access lasts; once Stripe has closed it, the
 * end of access is told instead.
 */
export const paymentFailed: Compose = async (deps, buyer, facts) => {
  if (buyer.subscription?.status !== 'past_due' || buyer.subscription.cancel_requested_at) return null
  return {
    kind: 'payment_failed',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      amount: cents(facts, 'amount'),
      attempt: cents(facts, 'attempt'),
      nextTryAt: optional(facts, 'nextTryAt'),
      paidWith: await paidWithSubscription(deps, buyer),
      updateUrl: mailLink(deps.config, 'update_payment', { subject: buyer.sessionId, to: buyer.to }),
    },
  }
}

export const cancellationConfirmed: Compose = (deps, buyer, facts) => {
  const accessUntil = text(facts, 'accessUntil')
  return Promise.resolve({
    kind: 'cancellation_confirmed',
    to: buyer.to,
    data: {
      ...common(buyer),
      cancelUrl: null,
      canceledAt: text(facts, 'canceledAt'),
      accessUntil,
      undoUrl: mailLink(deps.config, 'undo_cancel', {
        subject: buyer.sessionId,
        to: buyer.to,
        expiresAt: new Date(accessUntil),
      }),
      keptAddOns: buyer.addOns,
    },
  })
}

export const cancellationUndone: Compose = (_deps, buyer, facts) =>
  Promise.resolve({
    kind: 'cancellation_undone',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      amount: optionalCents(facts, 'amount'),
      nextChargeAt: optional(facts, 'nextChargeAt'),
      everyDays: RENEWAL_DAYS,
    },
  })

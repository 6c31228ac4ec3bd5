/** Notices about a subscription that fails, is cancelled, or goes on after all. */
import { product, RENEWAL_DAYS } from '../../contract/catalogue.ts'
import { DUNNING_TRY_DAYS } from '../mail/schedule.ts'
import { cents, common, type Compose, optional, paidWithSubscription, text, toSubscriber } from './compose.ts'
import { mailLink } from './links.ts'

const DAY = 86_400_000

/** Dunning: one mail after each failure that another try follows; after the last one the end of access is told instead. */
export const paymentFailed: Compose = async (deps, buyer, facts) => {
  const nextTryAt = optional(facts, 'nextTryAt')
  const attempt = Math.min(3, Math.max(1, cents(facts, 'attempt'))) as 1 | 2 | 3
  if (!nextTryAt || buyer.subscription?.status !== 'past_due') return null
  const daysLeft = DUNNING_TRY_DAYS[2] - DUNNING_TRY_DAYS[attempt - 1]!
  return {
    mail: {
      kind: 'payment_failed',
      to: buyer.to,
      data: {
        ...toSubscriber(buyer),
        amount: cents(facts, 'amount'),
        attempt,
        nextTryAt,
        accessUntil: new Date(Date.parse(nextTryAt) + daysLeft * DAY).toISOString(),
        paidWith: await paidWithSubscription(deps, buyer),
        updateUrl: mailLink(deps.config, 'update_payment', buyer.sessionId),
      },
    },
  }
}

export const cancellationConfirmed: Compose = (deps, buyer, facts) => {
  const accessUntil = text(facts, 'accessUntil')
  return Promise.resolve({
    mail: {
      kind: 'cancellation_confirmed',
      to: buyer.to,
      data: {
        ...common(buyer),
        cancelUrl: null,
        canceledAt: optional(facts, 'canceledAt') ?? new Date().toISOString(),
        accessUntil,
        undoUrl: mailLink(deps.config, 'undo_cancel', buyer.sessionId, new Date(accessUntil)),
        keptAddOns: buyer.addOns,
      },
    },
  })
}

export const cancellationUndone: Compose = (_deps, buyer, facts) =>
  Promise.resolve({
    mail: {
      kind: 'cancellation_undone',
      to: buyer.to,
      data: {
        ...toSubscriber(buyer),
        amount: product('monthly').price,
        nextChargeAt: text(facts, 'nextChargeAt'),
        everyDays: RENEWAL_DAYS,
      },
    },
  })

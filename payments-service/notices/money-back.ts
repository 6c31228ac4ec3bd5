/** Mails about money that a buyer asks back (A-07, H-02): it was asked for, withdrawn from, granted or declined. */
import { resolveProductId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { selectRequests } from '../subscriptions/granted.ts'
import { nextChargeOf, stateOf } from '../subscriptions/state.ts'
import type { Buyer } from './buyer.ts'
import {
  cents,
  common,
  type Compose,
  type Facts,
  isClosed,
  latestGrant,
  optional,
  paidWithIntent,
  text,
} from './compose.ts'

/** What a buyer reads of a subscription that goes on or not, whatever becomes of the request; null: nothing. */
function standingOf({ subscription }: Buyer): 'goes_on' | 'stays_cancelled' | null {
  if (!subscription) return null
  const state = stateOf(subscription)
  if (state === 'cancelling' || state === 'ending') return nextChargeOf(subscription) ? null : 'stays_cancelled'
  return state === 'ended' || state === 'not_started' ? null : 'goes_on'
}

const requestOf = ({ db }: Deps, facts: Facts) =>
  selectRequests(db).where('id', '=', text(facts, 'requestId')).executeTakeFirstOrThrow()

/** Without the link that withdraws: these mails answer a withdrawal. */
const answered = (buyer: Buyer) => ({ ...common(buyer), withdrawUrl: null })

export const moneyBackRequested: Compose = async (deps, buyer, facts) => {
  const request = await requestOf(deps, facts)
  return {
    kind: 'money_back_requested',
    to: buyer.to,
    data: {
      ...common(buyer),
      requestedAt: request.requested_at.toISOString(),
      amount: request.amount_cents,
      answerBy: request.answer_by.toISOString(),
      closed: isClosed(buyer, 'monthly'),
    },
  }
}

/** H-02: one from the guides alone leaves the subscription as it is by now; one that was declined, and is kept, too. */
export const withdrawalReceived: Compose = async (deps, buyer, facts) => {
  const request = await requestOf(deps, facts)
  const standing = standingOf(buyer)
  const goesOn = request.contract === 'guides' || standing === 'goes_on'
  const products = Array.isArray(facts['productIds']) ? facts['productIds'].map(String) : []
  return {
    kind: 'withdrawal_received',
    to: buyer.to,
    data: {
      ...answered(buyer),
      receivedAt: request.requested_at.toISOString(),
      productIds: products.flatMap((id) => resolveProductId(id) ?? []),
      amount: request.amount_cents,
      goesOn,
      standing: goesOn ? standing : null,
    },
  }
}

/**
 * The sums are those of the answer, as its job recorded them: a refund that changes after it has a mail of its own,
 * which would say the same money twice. What is said of the subscription is as of now.
 */
export const moneyBackDecided: Compose = async (deps, buyer, facts) => {
  const request = await requestOf(deps, facts)
  const decided = { kind: 'money_back_decided', to: buyer.to } as const
  if (request.status === 'declined') {
    return {
      ...decided,
      data: {
        ...answered(buyer),
        decision: 'declined',
        amount: request.amount_cents,
        decidedAt: (request.decided_at ?? new Date()).toISOString(),
        reason: request.decision_reason ?? '',
        standing: standingOf(buyer),
      },
    }
  }
  const { ends } = request
  const decidedAt = text(facts, 'decidedAt')
  // it may have been closed long before, as by the end of a trial
  const closedAt = ends ? (await latestGrant(deps, buyer, 'monthly'))?.revoked_at : null
  const before = closedAt && closedAt < new Date(decidedAt) ? closedAt.toISOString() : null
  return {
    ...decided,
    data: {
      ...answered(buyer),
      decision: 'approved',
      amount: cents(facts, 'refunded'),
      pending: cents(facts, 'pending'),
      withBank: cents(facts, 'withBank'),
      open: cents(facts, 'open'),
      decidedAt,
      accessEndsAt: ends ? (before ?? decidedAt) : null,
      standing: ends ? null : standingOf(buyer),
      paidWith: await paidWithIntent(deps, optional(facts, 'intentId')),
    },
  }
}

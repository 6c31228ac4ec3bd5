import { MONEY_BACK_SESSIONS, RENEWAL_DAYS } from '../../contract/catalogue.ts'
import type { MoneyBackView, SubscriptionView } from '../../contract/members.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { sumsOf } from '../refunds/sums.ts'
import { latestRequest } from '../money-back/money-back.queries.ts'
import { standingOf } from '../money-back/request.ts'
import { meaningOf } from '../stripe/subscription-status.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

type Stated = Pick<
  SubscriptionRow,
  | 'status'
  | 'cancel_at_period_end'
  | 'cancel_at'
  | 'current_period_end'
  | 'cancel_requested_at'
  | 'cancel_done_at'
  | 'collection_paused'
>

/** How a subscription stands, in the words of its owner. Pure. */
export function stateOf(row: Stated): SubscriptionView['state'] {
  const { state, over } = meaningOf(row.status)
  if (over) return 'ended'
  if (row.cancel_requested_at && !row.cancel_done_at) return 'cancelling'
  if (state !== 'trial' && state !== 'active') return state
  if (row.cancel_at_period_end || row.cancel_at !== null) return 'ending'
  return row.collection_paused ? 'paused' : state
}

/** The period that runs ends here: the trial's end while it lasts. */
export function periodEnd(row: SubscriptionRow): Date | null {
  return row.status === 'trialing' ? (row.trial_end ?? row.current_period_end) : row.current_period_end
}

/**
 * Whether the next charge is for the period that has begun already: Stripe collects it about an hour after its start.
 */
function isCollecting({ status, next_charge_at, current_period_end }: SubscriptionRow): boolean {
  return status === 'active' && !!next_charge_at && !!current_period_end && next_charge_at < current_period_end
}

/** A charge that Stripe will make by itself; null where none is planned, or where it was cancelled. */
export function nextChargeOf(row: SubscriptionRow): SubscriptionView['nextCharge'] {
  const { next_charge_cents: amount, next_charge_at: at } = row
  if (amount === null || !at || ['cancelling', 'ended'].includes(stateOf(row))) return null
  return { amount, at: at.toISOString() }
}

export async function viewSubscription(
  deps: Deps,
  row: SubscriptionRow,
  by: Deadline | undefined,
): Promise<SubscriptionView> {
  const state = stateOf(row)
  const end = periodEnd(row)
  const collecting = isCollecting(row)
  // a claim renews too, but its end is not known yet
  const paid = meaningOf(row.status).renews && !collecting
  const withdrawal = await standingOf(deps, row.session_id, 'withdrawal')
  return {
    id: row.id,
    state,
    nextCharge: nextChargeOf(row),
    collecting,
    paidUntil: state !== 'ended' && paid ? iso(end) : null,
    resumesAt: state === 'paused' ? iso(row.collection_resumes_at) : null,
    accessUntil: state === 'ending' ? iso(row.cancel_at ?? end) : state === 'ended' ? iso(row.ended_at) : null,
    everyDays: RENEWAL_DAYS,
    owed: state !== 'cancelling' && meaningOf(row.status).owed ? row.owed_cents : null,
    paidWith: await deps.methods.faceOf(row.payment_method_id, by),
    moneyBack: await viewMoneyBack(deps, row.session_id),
    withdrawUntil: withdrawal.eligible ? iso(withdrawal.until) : null,
  }
}

async function viewMoneyBack(deps: Deps, sessionId: string): Promise<MoneyBackView> {
  const standing = await standingOf(deps, sessionId, 'guarantee')
  const request = await latestRequest(deps.db, sessionId)
  return {
    until: iso(standing.until),
    listened: standing.listened,
    needed: MONEY_BACK_SESSIONS,
    eligible: standing.eligible,
    amount: standing.amount,
    request: request
      ? {
          kind: request.kind as 'guarantee' | 'withdrawal',
          status: request.status as 'open' | 'refunding' | 'refunded' | 'incomplete' | 'declined',
          requestedAt: request.requested_at.toISOString(),
          answerBy: request.answer_by.toISOString(),
          amount: request.amount_cents,
          ...(await sumsOf(deps.db, request.id)),
          reason: request.decision_reason,
        }
      : null,
  }
}

/** Every subscription of some visits: live ones first, then the newest. */
export async function subscriptionsOf(db: Database, sessionIds: readonly string[]): Promise<SubscriptionRow[]> {
  if (sessionIds.length === 0) return []
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', 'in', sessionIds)
    .orderBy('id', 'desc')
    .execute()
  return rows.sort((a, b) => Number(stateOf(a) === 'ended') - Number(stateOf(b) === 'ended'))
}

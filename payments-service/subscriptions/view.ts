import { MONEY_BACK_SESSIONS, product, RENEWAL_DAYS } from '../../contract/catalogue.ts'
import type { MoneyBackView, SubscriptionView } from '../../contract/members.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { latestRequest } from '../money-back/money-back.queries.ts'
import { standingOf } from '../money-back/request.ts'
import { meaningOf } from './status.ts'
import type { SubscriptionRow } from './subscriptions.queries.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** How a subscription stands, in the words of its owner. Pure. */
export function stateOf(
  row: Pick<SubscriptionRow, 'status' | 'cancel_at_period_end' | 'cancel_at'>,
): SubscriptionView['state'] {
  const { state } = meaningOf(row.status)
  const leaving = row.cancel_at_period_end || row.cancel_at !== null
  return leaving && (state === 'trial' || state === 'active') ? 'ending' : state
}

/** The period that is paid for ends here: the trial's end while it lasts. */
export function periodEnd(row: SubscriptionRow): Date | null {
  return row.status === 'trialing' ? (row.trial_end ?? row.current_period_end) : row.current_period_end
}

export async function viewSubscription(
  deps: Deps,
  row: SubscriptionRow,
  by: Deadline | undefined,
): Promise<SubscriptionView> {
  const state = stateOf(row)
  const end = periodEnd(row)
  const amount = product('monthly').price
  const withdrawal = await standingOf(deps, row.session_id, 'withdrawal')
  return {
    id: row.id,
    state,
    nextCharge: (state === 'trial' || state === 'active') && end ? { amount, at: end.toISOString() } : null,
    accessUntil: state === 'ending' ? iso(row.cancel_at ?? end) : state === 'ended' ? iso(row.ended_at) : null,
    everyDays: RENEWAL_DAYS,
    owed: meaningOf(row.status).owed ? amount : null,
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
          status: request.status as 'open' | 'refunding' | 'refunded' | 'declined',
          requestedAt: request.requested_at.toISOString(),
          answerBy: request.answer_by.toISOString(),
          amount: request.refunded_cents ?? request.amount_cents,
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

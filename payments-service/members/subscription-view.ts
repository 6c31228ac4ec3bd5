import { MONEY_BACK_SESSIONS } from '../../contract/catalogue.ts'
import type { CardSaved, MoneyBackRequestView, MoneyBackView, SubscriptionView } from '../../contract/members.ts'
import { daysIn } from '../../contract/period.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { givenBackNow } from '../money-back/covered.ts'
import { sumsOf } from '../refunds/sums.ts'
import { latestRequest } from '../money-back/money-back.queries.ts'
import { standingOf } from '../money-back/request.ts'
import {
  chargeAfterOwed,
  isCollecting,
  isEnding,
  isCutShort,
  nextChargeOf,
  periodEnd,
  periodOf,
  stateOf,
} from '../subscriptions/state.ts'
import { isBeingGivenBack } from '../subscriptions/granted.ts'
import { meaningOf } from '../stripe/subscription-status.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** Whether a planned end can be taken back. */
export const isKeepable = async ({ db }: Pick<Deps, 'db'>, row: SubscriptionRow): Promise<boolean> =>
  isEnding(row) && !isCollecting(row) && !(await isBeingGivenBack(db, row.session_id))

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
    price: row.next_price_cents,
    keepable: await isKeepable(deps, row),
    paidUntil: state !== 'ended' && paid ? iso(end) : null,
    resumesAt: state === 'paused' ? iso(row.collection_resumes_at) : null,
    accessUntil: iso(state === 'ended' ? row.ended_at : state === 'ending' ? (row.cancel_at ?? end) : row.cancel_at),
    period: periodOf(row),
    lastCutShort: isCutShort(row),
    everyDays: daysIn(periodOf(row)),
    owed: state !== 'cancelling' && meaningOf(row.status).owed ? row.owed_cents : null,
    chargeAfterOwed: iso(chargeAfterOwed(row)),
    paidWith: await deps.methods.faceOf(row.payment_method_id, by),
    moneyBack: await viewMoneyBack(deps, row.session_id),
    withdrawal: await viewRequest(deps, row.session_id, 'withdrawal'),
    withdrawUntil: iso(withdrawal.until),
    withdrawAmount: withdrawal.amount,
    withdrawKeeps: !withdrawal.endsSubscription,
  }
}

async function viewMoneyBack(deps: Deps, sessionId: string): Promise<MoneyBackView> {
  const standing = await standingOf(deps, sessionId, 'guarantee')
  return {
    until: iso(standing.until),
    listened: standing.listened,
    needed: MONEY_BACK_SESSIONS,
    eligible: standing.eligible,
    amount: standing.amount,
    request: await viewRequest(deps, sessionId, 'guarantee'),
  }
}

/** The current request of a visit, with what has come of it. */
export async function viewRequest(
  { db }: Deps,
  sessionId: string,
  of: 'guarantee' | 'withdrawal',
): Promise<MoneyBackRequestView | null> {
  const request = await latestRequest(db, sessionId, of)
  if (!request) return null
  return {
    kind: request.kind as MoneyBackRequestView['kind'],
    status: request.status as MoneyBackRequestView['status'],
    requestedAt: request.requested_at.toISOString(),
    answerBy: request.answer_by.toISOString(),
    // a withdrawal is promised its sum, a request of the guarantee says what was asked for
    amount:
      request.status === 'open' && request.kind === 'withdrawal'
        ? await givenBackNow(db, request)
        : request.amount_cents,
    ...(await sumsOf(db, request.id)),
    reason: request.decision_reason,
  }
}

/** What its owner reads first: what runs, then what is over, then what was ordered and not paid. */
const place = (row: SubscriptionRow): number => ['ended', 'not_started'].indexOf(stateOf(row))

/** Every subscription of some visits in that order, the newest first. */
export async function subscriptionsOf(db: Database, sessionIds: readonly string[]): Promise<SubscriptionRow[]> {
  if (sessionIds.length === 0) return []
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', 'in', sessionIds)
    .orderBy('id', 'desc')
    .execute()
  return rows.sort((a, b) => place(a) - place(b))
}

/** The result of saving a card, with the subscription afterwards. */
export async function viewSavedCard(
  deps: Deps,
  { row, ...saved }: Omit<CardSaved, 'subscription'> & { row: SubscriptionRow },
  by: Deadline | undefined,
): Promise<CardSaved> {
  return { ...saved, subscription: await viewSubscription(deps, row, by) }
}

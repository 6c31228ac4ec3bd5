import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { latestSubscription } from '../notices/buyer.ts'
import { giveBack } from '../payments/give-back.ts'
import { oweNow } from '../refunds/owe.ts'
import { applyRequest, type OwedRow } from '../refunds/owed.queries.ts'
import { sumUp } from '../refunds/sums.ts'
import { lockSession } from '../sessions/lock.ts'
import { isFailure } from '../stripe/failure.ts'
import { isOver } from '../stripe/subscription-status.ts'
import { selectRequests } from '../subscriptions/granted.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { coveredBy } from './covered.ts'
import { refundablePayments, type RequestRow } from './money-back.queries.ts'

/**
 * refunds an approved request. The subscription ends first, so that nothing new is charged; then every covered
 * charge is refunded independently; the grants follow from the facts; the mail comes last and says what was refunded,
 * what is under way and what could not go back. After a crash it runs from the start and skips what is done.
 */
export const giveMoneyBack: OutboxHandler = async (deps, job) => {
  const { db } = deps
  const requestId = String(job.payload['requestId'])
  const request = await selectRequests(db).where('id', '=', requestId).executeTakeFirstOrThrow()
  if (request.status === 'open' || request.status === 'declined') return
  if (request.ends) await endSubscription(deps, request)
  const owed = await oweCovered(deps, request)
  let trouble: unknown
  const outcome: OwedRow[] = []
  for (const { id } of owed) {
    try {
      outcome.push(await giveBack(deps, id, undefined))
    } catch (error) {
      // one failure does not hold up the other refunds
      trouble ??= error
    }
  }
  if (trouble) throw trouble
  await answer(deps, request, outcome)
}

async function endSubscription(deps: Deps, request: RequestRow): Promise<void> {
  const { db, stripe } = deps
  const subscription = await latestSubscription(db, request.session_id)
  const id = subscription?.stripe_subscription_id
  if (!id || isOver(subscription.status)) return
  // the answer announces this end, so it gets no notice as well
  await db.updateTable('money_back_requests').set({ ended_subscription: id }).where('id', '=', request.id).execute()
  try {
    await stripe.cancelSubscription(id, undefined)
  } catch (error) {
    // it ended in between
    if (!isFailure(error, 'missing', 'refused')) throw error
  }
  await syncSubscription(deps, id, undefined)
}

/** The charges that the request covers, each with what is left of it. */
async function oweCovered(deps: Deps, request: RequestRow): Promise<OwedRow[]> {
  const { id, session_id: sessionId } = request
  const known = await deps.db.selectFrom('owed_refunds').selectAll().where('money_back_request_id', '=', id).execute()
  const all = (await refundablePayments(deps.db, sessionId)).map((one) => ({ ...one, refunded: 0 }))
  const owed = new Map(known.map((row) => [row.id, row]))
  for (const { intentId } of coveredBy(request, all)) {
    const row = await oweNow(deps, { sessionId, intentId, cause: 'money_back', requestId: id })
    // a charge already owed for another reason (an add-on that was undone) has its own mail
    if (row?.money_back_request_id === id) owed.set(row.id, row)
  }
  return [...owed.values()]
}

/** Sends the mail about the decision, once. */
async function answer(deps: Deps, request: RequestRow, outcome: readonly OwedRow[]): Promise<void> {
  const { db } = deps
  const { id: requestId, session_id: sessionId } = request
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, sessionId)
    const ids = [...outcome.map(({ id }) => id), requestId]
    // their state at this moment: later changes have their own mail
    const rows = await tx
      .updateTable('owed_refunds')
      .set({ told_at: sql<Date>`now()` })
      .where('id', 'in', ids)
      .where('told_at', 'is', null)
      .returningAll()
      .execute()
    await applyRequest(tx, requestId)
    await tx
      .updateTable('money_back_requests')
      .set({ decided_at: sql<Date>`coalesce(decided_at, now())` })
      .where('id', '=', requestId)
      .execute()
    const intentId = outcome[0]?.payment_intent_id ?? null
    const payload = { requestId, ...(await sumUp(tx, rows)), decidedAt: new Date().toISOString(), intentId }
    await enqueue(tx, { kind: 'mail:money_back_decided', reason: requestId, sessionId, payload })
  })
}

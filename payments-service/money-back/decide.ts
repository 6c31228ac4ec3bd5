import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { keepCancellation } from '../payments/subscriptions.queries.ts'
import { ENDS_SUBSCRIPTION } from '../refunds/request-states.ts'
import { lockSession } from '../sessions/lock.ts'
import { selectRequests } from '../subscriptions/granted.ts'
import { givenBackNow } from './covered.ts'
import type { RequestRow } from './money-back.queries.ts'

/** One request as an operator sees it. */
export interface MoneyBackCase extends Omit<RequestRow, 'session_id'> {
  sessionId: string
  email: string | null
}

/**
 * Requests for an operator: those that wait, the oldest first, with what granting gives back now; or the decided
 * ones, the latest first.
 */
export async function listMoneyBackRequests(
  { db }: Deps,
  which: 'open' | 'decided',
  limit = 100,
): Promise<MoneyBackCase[]> {
  const all = selectRequests(db)
    .innerJoin('sessions as s', 's.id', 'money_back_requests.session_id')
    .select('s.email')
    .limit(limit)
  const found = await (
    which === 'open'
      ? all.where('money_back_requests.status', '=', 'open').orderBy('money_back_requests.requested_at')
      : all.where('money_back_requests.status', '!=', 'open').orderBy('money_back_requests.decided_at', 'desc')
  ).execute()
  const rows: MoneyBackCase[] = []
  for (const row of found) {
    const { session_id: sessionId, ...about } = row
    const now = row.status === 'open' ? { amount_cents: await givenBackNow(db, row) } : {}
    rows.push({ ...about, ...now, sessionId })
  }
  return rows
}

export type Decision = { decision: 'approve' } | { decision: 'decline'; reason: string }

/**
 * Records an operator's decision, once. Approved: a job makes the refunds, ends the subscription and sends the mail, so
 * that an outage of Stripe delays them but loses nothing. Declined: the reason is mailed to the buyer, and what only
 * waited for the decision is open again. False when it was decided already. Throws invalid_body without a reason.
 */
export async function decideMoneyBack(
  deps: Deps,
  requestId: string,
  decision: Decision,
  operator: string,
): Promise<boolean> {
  const reason = decision.decision === 'decline' ? decision.reason.trim() : null
  if (reason === '') throw new AppError('invalid_body', { field: 'reason' })
  const decided = await deps.db.transaction().execute(async (tx) => {
    const about = tx.selectFrom('money_back_requests').select('session_id').where('id', '=', requestId)
    const visit = await about.executeTakeFirst()
    if (!visit) return false
    await lockSession(tx, visit.session_id)
    const row = await tx
      .updateTable('money_back_requests')
      .set({
        status: reason === null ? 'refunding' : 'declined',
        decided_at: sql<Date>`now()`,
        decided_by: operator,
        decision_reason: reason,
      })
      .where('id', '=', requestId)
      .where('status', '=', 'open')
      .returningAll()
      .returning(ENDS_SUBSCRIPTION.as('ends'))
      .executeTakeFirst()
    if (!row) return false
    const { session_id: sessionId } = row
    // page and lists name this sum until the refunds are under way
    if (reason === null) {
      const amount_cents = await givenBackNow(tx, row)
      await tx.updateTable('money_back_requests').set({ amount_cents }).where('id', '=', requestId).execute()
    }
    // H-04: kept before Stripe is asked: however long it takes, no charge is announced, and one that comes goes back
    if (reason === null && row.ends) await keepCancellation(tx, { sessionId })
    if (reason !== null) {
      const { opened: productIds, reopened } = await applyGrants(tx, sessionId)
      const payload = { productIds, refund: reopened === 'refund' }
      if (reopened) await enqueue(tx, { kind: 'mail:access_reopened', reason: requestId, sessionId, payload })
    }
    const job = reason === null ? ('money_back' as const) : ('mail:money_back_decided' as const)
    await enqueue(tx, { kind: job, reason: requestId, sessionId, payload: { requestId } })
    return true
  })
  deps.wake('outbox')
  return decided
}

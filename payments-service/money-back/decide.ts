import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { queueMail } from '../jobs/mails.ts'
import { type Buyer, readBuyer } from '../notices/buyer.ts'
import { keepCancellation } from '../payments/subscriptions.queries.ts'
import { nextChargeOf, stateOf } from '../subscriptions/state.ts'
import type { RequestRow } from './money-back.queries.ts'

/** One request as an operator sees it. */
export interface MoneyBackCase extends Omit<RequestRow, 'session_id'> {
  sessionId: string
  email: string | null
}

/** Requests for the operator area, waiting ones first. `status` filters them. */
export async function listMoneyBackRequests(
  { db }: Deps,
  status?: RequestRow['status'],
  limit = 100,
): Promise<MoneyBackCase[]> {
  const rows = await db
    .selectFrom('money_back_requests as r')
    .innerJoin('sessions as s', 's.id', 'r.session_id')
    .selectAll('r')
    .select('s.email')
    .$if(status !== undefined, (query) => query.where('r.status', '=', status ?? 'open'))
    .orderBy(sql`r.status = 'open'`, 'desc')
    .orderBy('r.requested_at')
    .limit(limit)
    .execute()
  return rows.map(({ session_id, ...row }) => ({ ...row, sessionId: session_id }))
}

/** What a buyer whose request is declined reads of the subscription. */
function standingOf({ subscription }: Buyer): 'goes_on' | 'stays_cancelled' | null {
  if (!subscription) return null
  const state = stateOf(subscription)
  if (state === 'cancelling' || state === 'ending') return nextChargeOf(subscription) ? null : 'stays_cancelled'
  return state === 'ended' || state === 'not_started' ? null : 'goes_on'
}

export type Decision = { decision: 'approve' } | { decision: 'decline'; reason: string }

/**
 * Records an operator's decision, once. Approved: a job makes the refunds, ends the subscription and sends the mail, so
 * that an outage of Stripe delays them but loses nothing. Declined: the reason is mailed to the buyer. False when it
 * was decided already. Throws invalid_body without a reason.
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
      .executeTakeFirst()
    if (!row) return false
    if (reason === null) {
      // H-04: kept before Stripe is asked: however long it takes, no charge is announced, and one that comes goes back
      if (row.contract !== 'guides') await keepCancellation(tx, { sessionId: row.session_id })
      await enqueue(tx, {
        kind: 'money_back',
        reason: requestId,
        sessionId: row.session_id,
        payload: { requestId },
      })
      return true
    }
    const buyer = await readBuyer({ ...deps, db: tx }, row.session_id)
    if (!buyer) return true
    await queueMail(
      tx,
      {
        kind: 'money_back_decided',
        to: buyer.to,
        data: {
          name: buyer.name,
          timeZone: buyer.timeZone,
          cancelUrl: buyer.cancelUrlIfLive,
          decision: 'declined',
          amount: row.amount_cents,
          decidedAt: (row.decided_at ?? new Date()).toISOString(),
          reason,
          standing: standingOf(buyer),
        },
      },
      requestId,
      { sessionId: row.session_id },
    )
    return true
  })
  deps.wake('outbox')
  return decided
}

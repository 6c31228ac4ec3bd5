import { sql } from 'kysely'
import type { ExitContract } from '../../contract/exit.ts'
import { ANSWER_DAYS } from '../../contract/members.ts'
import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { knownZone, latestSubscription, readBuyer, withdrawalEnds } from '../notices/buyer.ts'
import { keepCancellation } from '../payments/subscriptions.queries.ts'
import { lockSession } from '../sessions/lock.ts'
import { isOver } from '../stripe/subscription-status.ts'
import { isAsked, stillToAsk } from './covered.ts'
import { forSubscription, guaranteeStanding, type WithdrawalStanding, withdrawalStanding } from './money-back.ts'
import { accountOfSession, countListened, refundablePayments } from './money-back.queries.ts'

/** A statement that was received earlier, or that names one contract alone. */
export interface Stated {
  /** When it was received; now when left out. */
  at?: Date
  contract?: ExitContract
}

/** What the rule of this kind gives a visit at this moment, or gave it when the statement was received. */
export async function standingOf(
  deps: Deps,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
  { at: received, contract }: Stated = {},
): Promise<WithdrawalStanding & { listened: number }> {
  const { db } = deps
  const now = received ?? new Date()
  const userId = await accountOfSession(db, sessionId)
  const listened = await countListened(db, userId)
  const visit = await db
    .selectFrom('session_metadata')
    .select(['country', 'timezone'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (kind === 'guarantee') {
    const payments = await refundablePayments(db, sessionId)
    const standing = guaranteeStanding(payments, listened, now, knownZone(visit?.timezone ?? null))
    return { ...standing, endsSubscription: true, listened }
  }
  const subscription = await latestSubscription(db, sessionId)
  const until = visit ? await withdrawalEnds(deps, visit, subscription) : null
  const running = subscription !== null && !isOver(subscription.status)
  const payments = (await stillToAsk(db, sessionId)).map((payment) => ({
    ...payment,
    // of what began for nothing there is only the subscription to end
    asked: payment.asked || (payment.amount === 0 && !running),
    until: until && until(payment.orderedAt, forSubscription(payment)),
  }))
  return { ...withdrawalStanding(payments, now, { contract, received }), listened }
}

/**
 * A-07, H-02: requests the money back. What an earlier request that waits asks for is not asked for again (double
 * click); more than that is another request. Throws not_eligible where the rule does not allow it.
 */
export async function requestMoneyBack(
  deps: Deps,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
  stated: Stated = {},
): Promise<void> {
  const buyer = await readBuyer(deps, sessionId)
  const asked = stated.contract ?? 'everything'
  await deps.db.transaction().execute(async (tx) => {
    // one press waits for the other
    await lockSession(tx, sessionId)
    const standing = await standingOf({ ...deps, db: tx }, sessionId, kind, stated)
    if (!standing.eligible || !buyer) {
      if (await isAsked(tx, sessionId, kind, asked)) return
      throw new AppError('not_eligible')
    }
    await record(tx, sessionId, kind, standing, { at: stated.at ?? (await databaseTime(tx)), contract: asked })
  })
}

/** Charges and payments, which it is compared with, have this clock's times (subscriptions/renewals.ts). */
async function databaseTime(tx: Database): Promise<Date> {
  const { now } = await tx.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow()
  return now
}

/** Notes a request for what stands, with its receipt. */
async function record(
  tx: Database,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
  { amount, endsSubscription, listened, payments }: Awaited<ReturnType<typeof standingOf>>,
  { at: requestedAt, contract }: Required<Stated>,
): Promise<void> {
  const intentIds = payments.map(({ intentId }) => intentId).sort()
  const products = await tx
    .selectFrom('payments')
    .select('product_id')
    .where('payment_intent_id', 'in', intentIds)
    .execute()
  const made = await tx
    .insertInto('money_back_requests')
    .values({
      session_id: sessionId,
      kind,
      // a request for guides, as the rest of the service knows it: it leaves the subscription as it is
      contract: endsSubscription ? contract : 'guides',
      intent_ids: kind === 'withdrawal' ? intentIds : null,
      amount_cents: amount,
      listened_sessions: listened,
      first_paid_at: payments[0]?.settledAt ?? requestedAt,
      requested_at: requestedAt,
      answer_by: new Date(Date.now() + ANSWER_DAYS * DAY),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return
  // a buyer who withdraws is not charged again, however long the answer takes
  if (kind === 'withdrawal' && endsSubscription) await keepCancellation(tx, { sessionId }, requestedAt)
  await enqueue(tx, {
    kind: kind === 'guarantee' ? 'mail:money_back_requested' : 'mail:withdrawal_received',
    reason: made.id,
    sessionId,
    payload: { requestId: made.id, productIds: [...new Set(products.map(({ product_id }) => product_id))] },
  })
}

import type { ExitContract } from '../../contract/exit.ts'
import { ANSWER_DAYS } from '../../contract/members.ts'
import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { knownZone, latestSubscription, readBuyer, withdrawalEnd } from '../notices/buyer.ts'
import { keepCancellation } from '../payments/subscriptions.queries.ts'
import { guaranteeStanding, type Standing, withdrawalStanding } from './money-back.ts'
import {
  accountOfSession,
  countListened,
  refundablePayments,
  stillToAsk,
  waitingRequests,
} from './money-back.queries.ts'

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
  { at: now = new Date(), contract }: Stated = {},
): Promise<Standing & { listened: number }> {
  const { db } = deps
  const payments = await (kind === 'guarantee' ? refundablePayments : stillToAsk)(db, sessionId)
  const userId = await accountOfSession(db, sessionId)
  const listened = await countListened(db, userId)
  const visit = await db
    .selectFrom('sessions as s')
    .leftJoin('session_metadata as m', 'm.session_id', 's.id')
    .select(['s.paid_at', 'm.country', 'm.timezone'])
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
  if (kind === 'guarantee') {
    return { ...guaranteeStanding(payments, listened, now, knownZone(visit?.timezone ?? null)), listened }
  }
  const subscription = await latestSubscription(db, sessionId)
  const until = visit ? await withdrawalEnd(deps, visit, subscription, now) : null
  return { ...withdrawalStanding(payments, until, now, contract), listened }
}

/**
 * A-07, H-02: requests the money back. While a request is waiting, another one for the same contract is the same
 * (double click); one for more is another. Throws not_eligible where the rule does not allow it.
 */
export async function requestMoneyBack(
  deps: Deps,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
  stated: Stated = {},
): Promise<void> {
  const standing = await standingOf(deps, sessionId, kind, stated)
  const buyer = await readBuyer(deps, sessionId)
  if (!standing.eligible || !buyer) {
    if (await isCovered(deps.db, sessionId, kind, stated.contract)) return
    throw new AppError('not_eligible')
  }
  const requestedAt = stated.at ?? new Date()
  const contract = stated.contract ?? 'everything'
  const answerBy = new Date(Date.now() + ANSWER_DAYS * DAY)
  const products = await deps.db
    .selectFrom('payments')
    .select('product_id')
    .where(
      'payment_intent_id',
      'in',
      standing.payments.map(({ intentId }) => intentId),
    )
    .execute()
  await deps.db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('money_back_requests')
      .values({
        session_id: sessionId,
        kind,
        contract,
        amount_cents: standing.amount,
        listened_sessions: standing.listened,
        first_paid_at: standing.payments[0]?.settledAt ?? requestedAt,
        requested_at: requestedAt,
        answer_by: answerBy,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return
    // a buyer who withdraws is not charged again, however long the answer takes
    const ends = contract !== 'guides'
    if (kind === 'withdrawal' && ends) await keepCancellation(tx, { sessionId }, requestedAt)
    await enqueue(tx, {
      kind: kind === 'guarantee' ? 'mail:money_back_requested' : 'mail:withdrawal_received',
      reason: made.id,
      sessionId,
      payload: { requestId: made.id, productIds: [...new Set(products.map(({ product_id }) => product_id))] },
    })
  })
}

/** Whether a request that waits is for all that this one is for. */
async function isCovered(
  db: Database,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
  contract: ExitContract = 'everything',
): Promise<boolean> {
  const waiting = await waitingRequests(db, sessionId, kind)
  const parts = contract === 'everything' ? ['subscription', 'guides'] : [contract]
  const has = (one: string): boolean => waiting.some((request) => request.contract === one)
  return has('everything') || parts.every(has)
}

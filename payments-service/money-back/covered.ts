/** Which charges a request for money back is about (A-07, H-02). */
import { sql } from 'kysely'
import type { ExitContract } from '../../contract/exit.ts'
import type { Database } from '../../db/connect.ts'
import { forSubscription, guaranteeStanding, isOf, type Refundable } from './money-back.ts'
import { refundablePayments, type RequestRow, settledPayments, waitingRequests } from './money-back.queries.ts'

/**
 * The charges of a visit that a request gives back. The guarantee looks at the day of the request and, because
 * granting ends what a later charge has paid for, beyond it.
 */
export function coveredBy(request: RequestRow, payments: readonly Refundable[]): Refundable[] {
  const left = payments.filter(({ amount, refunded }) => refunded < amount)
  if (request.kind !== 'guarantee') return left.filter((one) => isWithdrawnFrom(request, one))
  const { listened_sessions: listened, requested_at: asked } = request
  const within = guaranteeStanding(payments, listened, asked).payments
  const since = left.filter((one) => forSubscription(one) && one.settledAt > asked && !within.includes(one))
  return [...within, ...since]
}

/**
 * H-02: what a withdrawal was asked for. It ends the contract itself, so it is also about what was paid before it and
 * heard of later, and about what the subscription that it ends charges after it. The release before has noted no
 * charges: then it is all of the contract.
 */
function isWithdrawnFrom(request: RequestRow, payment: Refundable): boolean {
  const { contract, intent_ids: asked, requested_at: at } = request
  const ofContract = isOf(contract as ExitContract, payment)
  if (!asked) return ofContract
  // Stripe tells whole seconds: what was ordered in the same one is asked for by a request of its own
  const after = payment.settledAt.getTime() + 1000 > at.getTime()
  const later = forSubscription(payment) ? request.ends && payment.recordedAt > at : payment.recordedAt > at && !after
  return asked.includes(payment.intentId) || (ofContract && later)
}

/**
 * What granting a request gives back now: since it was asked for a renewal may have come, or an operator may have
 * refunded it in Stripe's dashboard. Cents.
 */
export async function givenBackNow(db: Database, request: RequestRow): Promise<number> {
  const covered = coveredBy(request, await refundablePayments(db, request.session_id))
  return covered.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
}

/** What was settled in a visit, each with whether an earlier withdrawal covers it: one that waits, or was granted. */
export async function stillToAsk(db: Database, sessionId: string): Promise<(Refundable & { asked: boolean })[]> {
  const payments = await settledPayments(db, sessionId)
  const { rows: granted } = await sql<{ intentId: string }>`
    select payment_intent_id as "intentId" from owed_refunds
    where session_id = ${sessionId} and money_back_request_id is not null`.execute(db)
  const waiting = await waitingRequests(db, sessionId, 'withdrawal')
  return payments.map((payment) => ({
    ...payment,
    asked:
      granted.some(({ intentId }) => intentId === payment.intentId) ||
      waiting.some((request) => isWithdrawnFrom(request, payment)),
  }))
}

/** Whether a request that waits is about anything of the contract that another one would be for. */
export async function isAsked(
  db: Database,
  sessionId: string,
  kind: 'guarantee' | 'withdrawal',
  contract: ExitContract,
): Promise<boolean> {
  const waiting = await waitingRequests(db, sessionId, kind)
  if (kind === 'guarantee') return waiting.length > 0
  const own = (await settledPayments(db, sessionId)).filter((payment) => isOf(contract, payment))
  return own.some((payment) => waiting.some((request) => isWithdrawnFrom(request, payment)))
}

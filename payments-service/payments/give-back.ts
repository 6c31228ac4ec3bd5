import { settlePayment } from './settle.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { lockSession } from '../sessions/lock.ts'
import { isFailure } from '../stripe/failure.ts'
import { applyOwed, type OwedNow, type OwedRow } from '../refunds/owed.queries.ts'

/** Rounds of asking Stripe and reading the result; beyond this the bank keeps changing its answer. */
const ROUNDS = 6

/**
 * The only way money is refunded. Reads Stripe first and asks only for what is still due, so that it may run twice, be
 * killed at any point and meet a refund made in the dashboard; Stripe never refunds more than was paid. Returns the row
 * once it is refunded, pending or impossible. Throws StripeFailure while Stripe cannot be asked, and an error where it
 * is still to be asked for after all rounds: the job retries.
 */
export async function giveBack(deps: Deps, owedId: string, by: Deadline | undefined): Promise<OwedRow> {
  for (let round = 0; round < ROUNDS; round++) {
    const row = await look(deps, owedId, by)
    if (row.status !== 'waiting') return row
    const reason = row.cause === 'duplicate' ? 'duplicate' : 'requested_by_customer'
    // an unanswered try is repeated with its key; an answered one, or one that failed since, gets a new key
    const tries = row.failed > 0 ? `:${row.failed}` : ''
    const key = `owed:${row.id}:${row.round}:${row.attempt}:${row.due}${tries}`
    try {
      await deps.stripe.refund(row.payment_intent_id, { amount: row.due, reason, owedId }, key, by)
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.answered) await noteRefusal(deps, row, error.code ?? error.kind, isFailure(error, 'refused', 'missing'))
      if (!isFailure(error, 'refused', 'missing')) throw error
    }
  }
  const row = await look(deps, owedId, by)
  if (row.status === 'waiting') throw new Error('the bank keeps changing its answer about a refund')
  return row
}

/** What is owed now, after reading the facts of its charge from Stripe again. */
async function look(deps: Deps, owedId: string, by: Deadline | undefined): Promise<OwedNow> {
  const { db } = deps
  const row = await db.selectFrom('owed_refunds').selectAll().where('id', '=', owedId).executeTakeFirstOrThrow()
  if (row.status === 'settled') return { ...row, due: 0, failed: 0 }
  await settlePayment(deps, row.payment_intent_id, by)
  const now = await db.transaction().execute(async (tx) => {
    await lockSession(tx, row.session_id)
    return applyOwed(tx, row.payment_intent_id)
  })
  deps.wake('outbox')
  const found = now.find(({ id }) => id === owedId)
  if (!found) throw new Error('a refund of a charge that is not on record')
  return found
}

async function noteRefusal({ db }: Deps, row: OwedRow, code: string, final: boolean): Promise<void> {
  await db
    .updateTable('owed_refunds')
    .set({ attempt: row.attempt + 1, ...(final ? { refusals: row.refusals + 1, reason: code.slice(0, 500) } : {}) })
    .where('id', '=', row.id)
    .where('attempt', '=', row.attempt)
    .execute()
}

/** Refunds what is owed, or owed again because the bank returned it. */
export const refundOwed: OutboxHandler = async (deps, job) => {
  await giveBack(deps, String(job.payload['owedId']), undefined)
}

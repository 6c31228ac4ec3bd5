import { settlePayment } from './settle.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { lockSession } from '../sessions/lock.ts'
import { isFailure } from '../stripe/failure.ts'
import { applyOwed, type OwedRow } from '../refunds/owed.queries.ts'

/** Asking, and looking what came of it; more than this is a bank that changes its mind under our hands. */
const ROUNDS = 6

/**
 * The one way by which money goes back. Looks at Stripe first and asks for what is still due, so that it may run twice,
 * be killed anywhere, and meet a refund from the dashboard: Stripe never gives back more than was paid. Returns the row
 * when it is refunded, pending or impossible. Throws StripeFailure while Stripe cannot be asked: the job tries again.
 */
export async function giveBack(deps: Deps, owedId: string, by: Deadline | undefined): Promise<OwedRow> {
  for (let round = 0; round < ROUNDS; round++) {
    const row = await look(deps, owedId, by)
    if (row.status !== 'waiting') return row
    const reason = row.cause === 'duplicate' ? 'duplicate' : 'requested_by_customer'
    // a try that was not answered is repeated by its key; one that was, or that failed since, gets another
    const key = `owed:${row.id}:${row.round}:${row.attempt}:${row.due}`
    try {
      await deps.stripe.refund(row.payment_intent_id, { amount: row.due, reason, owedId }, key, by)
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.answered) await noteRefusal(deps, row, error.code ?? error.kind, isFailure(error, 'refused', 'missing'))
      if (!isFailure(error, 'refused', 'missing')) throw error
    }
  }
  return look(deps, owedId, by)
}

/** What is owed now, after the facts of its charge were read from Stripe. */
async function look(deps: Deps, owedId: string, by: Deadline | undefined): Promise<OwedRow & { due: number }> {
  const { db } = deps
  const row = await db.selectFrom('owed_refunds').selectAll().where('id', '=', owedId).executeTakeFirstOrThrow()
  if (row.status === 'settled') return { ...row, due: 0 }
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

/** A refund that is owed, or owed again since the bank sent it back. */
export const refundOwed: OutboxHandler = async (deps, job) => {
  await giveBack(deps, String(job.payload['owedId']), undefined)
}

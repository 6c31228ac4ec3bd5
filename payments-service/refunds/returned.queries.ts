import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { applyOwed, chargeState, enqueueRefund, tellTrouble } from './owed.queries.ts'

/** A refund that failed. `detail`: Stripe's failure reason. */
interface Returned {
  stripeId: string
  amount: number
  detail?: string | null
}

/**
 * A refund from the dashboard that the bank returned: we owe it from now on, even if this service hears of it only now,
 * because Stripe has announced it to the buyer. One that an operator cancelled before it arrived is left to them. Runs
 * in the caller's transaction, which holds the lock on the session's row.
 */
export async function oweReturned(tx: Database, sessionId: string, intentId: string, refund: Returned): Promise<void> {
  if (refund.detail === 'merchant_request' && !(await arrived(tx, refund.stripeId))) return
  // it had counted towards something we owe, which is open again by itself
  const rows = await applyOwed(tx, intentId)
  if (rows.some(({ cause, status }) => cause !== 'returned' && status !== 'refunded')) return
  const charge = await chargeState(tx, intentId)
  if (!charge) return
  const failed = charge.refunds.filter(({ state }) => state === 'failed').length
  const wanted = Math.min(refund.amount, charge.left)
  if (wanted <= 0) return
  // of the failed refunds only this one counts: earlier ones have been dealt with
  const about = { wanted_cents: wanted, before_cents: charge.refunded, forgiven: Math.max(0, failed - 1) }
  const row = await tx
    .insertInto('owed_refunds')
    .values({ session_id: sessionId, payment_intent_id: intentId, cause: 'returned', ...about })
    .onConflict((conflict) =>
      conflict.columns(['payment_intent_id', 'cause', 'money_back_request_id']).doUpdateSet(({ ref }) => {
        // the earlier one is done, by the bank or by hand: replace it, and keep what was paid by hand; else add to what
        // it still owes
        const over = sql`owed_refunds.status in ('refunded', 'settled')`
        return {
          wanted_cents: sql<number>`case when ${over} then ${ref('excluded.wanted_cents')}
            else least(owed_refunds.wanted_cents + ${ref('excluded.wanted_cents')},
              ${charge.refunded + charge.left} - owed_refunds.before_cents) end`,
          before_cents: sql<number>`case when ${over} then ${ref('excluded.before_cents')} else
            owed_refunds.before_cents end`,
          back_cents: sql<number>`case when ${over} then 0 else owed_refunds.back_cents end`,
          forgiven: about.forgiven,
          refusals: 0,
          reason: null,
          status: 'waiting',
          settled_before: sql`owed_refunds.settled_before || case when owed_refunds.status = 'settled'
            then jsonb_build_array(jsonb_build_object('cents', owed_refunds.wanted_cents - owed_refunds.back_cents,
              'at', owed_refunds.updated_at, 'by', owed_refunds.settled_by)) else '[]' end`,
          settled_by: null,
          round: sql<number>`owed_refunds.round + 1`,
        }
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  const now = (await applyOwed(tx, intentId)).find(({ id }) => id === row.id)
  if (now?.status !== 'waiting') return
  await enqueueRefund(tx, now)
  await tellTrouble(tx, now)
}

/** Whether the bank had agreed to a refund before it failed. */
async function arrived(tx: Database, refundId: string): Promise<boolean> {
  const said = await tx
    .selectFrom('payment_facts')
    .select('id')
    .where('stripe_id', '=', refundId)
    .where('kind', '=', 'refunded')
    .executeTakeFirst()
  return said !== undefined
}

import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { type Grant, grantsOf, type PaymentState, type SessionMoney, sessionMoneyOf } from './grants.ts'

/** Every settled payment of a session with its facts added up. */
async function paymentStates(tx: Database, sessionId: string): Promise<PaymentState[]> {
  const { rows } = await sql<PaymentState>`
    select p.payment_intent_id as "intentId", p.purpose, p.product_id as "productId", p.amount_cents as amount,
      p.is_duplicate as duplicate,
      greatest(0, coalesce(sum(f.amount_cents) filter (where f.kind = 'refunded'), 0)
        - coalesce(sum(f.amount_cents) filter (where f.kind = 'refund_failed'), 0))::int as refunded,
      (count(*) filter (where f.kind = 'disputed')
        - count(*) filter (where f.kind in ('dispute_won', 'dispute_lost')))::int as "disputesOpen",
      (count(*) filter (where f.kind = 'dispute_lost'))::int as "disputesLost"
    from payments p left join payment_facts f on f.payment_intent_id = p.payment_intent_id
    where p.session_id = ${sessionId} and p.settled_at is not null
    group by p.id order by p.settled_at, p.id`.execute(tx)
  return rows
}

/** Why a grant that does not follow any more ends: the first reason that holds. */
function reasonOf(productId: string, payments: readonly PaymentState[]): string {
  const own = payments.filter((payment) => payment.productId === productId && !payment.duplicate)
  if (own.some(({ disputesLost }) => disputesLost > 0)) return 'dispute_lost'
  if (own.some(({ amount, refunded }) => amount > 0 && refunded >= amount)) return 'refunded'
  return 'subscription_ended'
}

/**
 * Brings the grants and the payment status of a session to what its facts say, and the refunded amounts of its payments.
 * Runs in the caller's transaction, which holds the lock on the session's row.
 */
export async function applyGrants(tx: Database, sessionId: string): Promise<void> {
  const payments = await paymentStates(tx, sessionId)
  const subscription = await tx
    .selectFrom('subscriptions')
    .select(['status', 'source_payment_id'])
    .where('session_id', '=', sessionId)
    // the live one, else the one that ended last
    .orderBy(sql`status in ('canceled', 'incomplete_expired')`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const due = grantsOf(
    payments,
    subscription ? { status: subscription.status, sourceIntentId: subscription.source_payment_id } : null,
  )
  await writeGrants(tx, sessionId, due, payments)
  await writeMoney(tx, sessionId, payments, sessionMoneyOf(payments))
}

async function writeGrants(
  tx: Database,
  sessionId: string,
  due: readonly Grant[],
  payments: readonly PaymentState[],
): Promise<void> {
  const live = await tx
    .selectFrom('product_access_grants')
    .select(['id', 'product_id'])
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    // an operator's gift ends by an operator's hand
    .where('granted_via', '!=', 'operator')
    .execute()
  for (const { id, product_id } of live.filter(({ product_id }) => !due.some((one) => one.productId === product_id))) {
    await tx
      .updateTable('product_access_grants')
      .set({ revoked_at: sql<Date>`now()`, revoked_reason: reasonOf(product_id, payments) })
      .where('id', '=', id)
      .execute()
  }
  for (const { productId, via, sourceIntentId } of due) {
    if (live.some(({ product_id }) => product_id === productId)) continue
    await sql`
      select grant_product_access(id, email, ${productId}, ${via}, ${sourceIntentId}) from sessions where id = ${sessionId}
    `.execute(tx)
  }
}

async function writeMoney(
  tx: Database,
  sessionId: string,
  payments: readonly PaymentState[],
  money: SessionMoney,
): Promise<void> {
  for (const { intentId, amount, refunded, disputesOpen, disputesLost } of payments) {
    const status =
      disputesLost > 0 || disputesOpen > 0
        ? 'disputed'
        : amount > 0 && refunded >= amount
          ? 'refunded'
          : refunded > 0
            ? 'partially_refunded'
            : 'succeeded'
    await tx
      .updateTable('payments')
      .set({ refunded_cents: Math.min(refunded, amount), status })
      .where('payment_intent_id', '=', intentId)
      .where(({ or, eb }) => or([eb('status', '!=', status), eb('refunded_cents', '!=', Math.min(refunded, amount))]))
      .execute()
  }
  if (money === 'unpaid') return
  await tx
    .updateTable('sessions')
    .set({ payment_status: money })
    .where('id', '=', sessionId)
    .where('payment_status', '!=', money)
    .where('paid_at', 'is not', null)
    .execute()
}

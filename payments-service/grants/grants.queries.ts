import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { isOver, OVER } from '../subscriptions/status.ts'
import {
  grantsOf,
  type PaymentState,
  programmeGivenBack,
  type SessionMoney,
  sessionMoneyOf,
  type SubscriptionState,
} from './grants.ts'

interface Standing {
  /** Every settled payment of the session with its facts added up. */
  payments: (PaymentState & { status: string; recorded: number })[]
  /** The live one, else the one that ended last. */
  subscription: (SubscriptionState & { id: string; version: number }) | null
  /** Refunds and lost disputes on record. */
  losses: number
  live: { id: string; productId: string }[]
  money: SessionMoney
  paid: boolean
}

/** All that decides on the grants of a session, in one question: a buyer waits for it. */
async function standingOf(tx: Database, sessionId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select s.payment_status as money, s.paid_at is not null as paid,
      (select coalesce(json_agg(p order by p.settled_at, p.id), '[]') from (
        select p.id, p.settled_at, p.payment_intent_id as "intentId", p.purpose, p.product_id as "productId",
          p.amount_cents as amount, p.is_duplicate as duplicate, p.status, p.refunded_cents as recorded,
          greatest(0, coalesce(sum(f.amount_cents) filter (where f.kind = 'refunded'), 0)
            - coalesce(sum(f.amount_cents) filter (where f.kind = 'refund_failed'), 0)) as refunded,
          count(*) filter (where f.kind = 'disputed')
            - count(*) filter (where f.kind in ('dispute_won', 'dispute_lost')) as "disputesOpen",
          count(*) filter (where f.kind = 'dispute_lost') as "disputesLost"
        from payments p left join payment_facts f on f.payment_intent_id = p.payment_intent_id
        where p.session_id = s.id and p.settled_at is not null
        group by p.id
      ) p) as payments,
      (select count(*)::int from payment_facts f
        where f.session_id = s.id and f.kind in ('refunded', 'dispute_lost')) as losses,
      (select to_json(u) from (
        select id, version, status, source_payment_id as "sourceIntentId" from subscriptions where session_id = s.id
        order by status = any(${OVER}), id desc limit 1
      ) u) as subscription,
      -- an operator's gift ends by an operator's hand
      (select coalesce(json_agg(json_build_object('id', id, 'productId', product_id)), '[]')
        from product_access_grants
        where session_id = s.id and revoked_at is null and granted_via != 'operator') as live
    from sessions s where s.id = ${sessionId}`.execute(tx)
  const [standing] = rows
  if (!standing) throw new Error('a session that is not there has no grants')
  return standing
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
  const standing = await standingOf(tx, sessionId)
  await writeGrants(tx, sessionId, standing)
  await writeMoney(tx, sessionId, standing)
  await endSubscription(tx, sessionId, standing)
}

/** Money that went back whole ends the subscription too: it would charge for what it no longer opens. */
async function endSubscription(tx: Database, sessionId: string, standing: Standing): Promise<void> {
  const { payments, subscription, losses } = standing
  if (!subscription || isOver(subscription.status) || !programmeGivenBack(payments)) return
  await enqueue(tx, {
    kind: 'end_subscription',
    // again for another refund after one that did not arrive, and for a subscription that came after the refund
    reason: `${subscription.id}:${subscription.version}:${losses}`,
    sessionId,
    payload: { subscription: subscription.id },
  })
}

/** Whether the job above has still to be done: a refund may have failed since. */
export async function isGivenBack(db: Database, sessionId: string): Promise<boolean> {
  return programmeGivenBack((await standingOf(db, sessionId)).payments)
}

async function writeGrants(tx: Database, sessionId: string, standing: Standing): Promise<void> {
  const { payments, live } = standing
  const due = grantsOf(payments, standing.subscription)
  for (const { id, productId } of live.filter(({ productId }) => !due.some((one) => one.productId === productId))) {
    await tx
      .updateTable('product_access_grants')
      .set({ revoked_at: sql<Date>`now()`, revoked_reason: reasonOf(productId, payments) })
      .where('id', '=', id)
      .execute()
  }
  for (const { productId, via, sourceIntentId } of due) {
    if (live.some((one) => one.productId === productId)) continue
    await sql`
      select grant_product_access(id, email, ${productId}, ${via}, ${sourceIntentId}) from sessions where id = ${sessionId}
    `.execute(tx)
  }
}

async function writeMoney(tx: Database, sessionId: string, standing: Standing): Promise<void> {
  const { payments } = standing
  for (const { intentId, amount, refunded, disputesOpen, disputesLost, ...now } of payments) {
    const status =
      disputesLost > 0 || disputesOpen > 0
        ? 'disputed'
        : amount > 0 && refunded >= amount
          ? 'refunded'
          : refunded > 0
            ? 'partially_refunded'
            : 'succeeded'
    const givenBack = Math.min(refunded, amount)
    if (now.status === status && now.recorded === givenBack) continue
    await tx
      .updateTable('payments')
      .set({ refunded_cents: givenBack, status })
      .where('payment_intent_id', '=', intentId)
      .execute()
  }
  const money = sessionMoneyOf(payments)
  if (money === 'unpaid' || money === standing.money || !standing.paid) return
  await tx.updateTable('sessions').set({ payment_status: money }).where('id', '=', sessionId).execute()
}

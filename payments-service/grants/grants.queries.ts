import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { isOwed, paidOtherwise } from '../refunds/owed.queries.ts'
import { ENDS_SUBSCRIPTION, UNDER_WAY } from '../refunds/request-states.ts'
import { lockSession } from '../sessions/lock.ts'
import { isOver, OVER } from '../stripe/subscription-status.ts'
import {
  chainOf,
  endReasonOf,
  grantsOf,
  isHeld,
  isTaken,
  type PaymentState,
  programmeGivenBack,
  programmeWonBack,
  type SessionMoney,
  sessionMoneyOf,
  type SubscriptionState,
} from './grants.ts'

interface Standing {
  /** Every settled payment of the session with its facts added up. */
  payments: (PaymentState & { status: string; recorded: number })[]
  /** The live one, else the one that ended last. */
  subscription:
    | (SubscriptionState & {
        id: string
        version: number
        /** Whether it has been reopened before. */
        wasReopened: boolean
        /** Seconds that were left of the paid period when it ended. */
        left: number
      })
    | null
  /** Refunds and lost disputes on record. */
  losses: number
  live: { id: string; productId: string }[]
  money: SessionMoney
  paid: boolean
  erased: boolean
}

/** Product ids, and what gave the programme back the time that its subscription had lost: an appeal, or a refund. */
export interface GrantChange {
  opened: readonly string[]
  closed: readonly string[]
  reopened: 'appeal' | 'refund' | null
}

/** Everything that decides the grants of a session, in one query because a buyer waits for it. */
async function standingOf(tx: Database, sessionId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select s.payment_status as money, s.paid_at is not null as paid,
      exists (select from erasures where session_id = s.id) as erased,
      (select coalesce(json_agg(p order by p.settled_at, p.id), '[]') from (
        select p.id, p.settled_at, p.payment_intent_id as "intentId", p.purpose, p.product_id as "productId",
          p.amount_cents as amount, p.is_duplicate as duplicate, p.status, p.refunded_cents as recorded,
          r.refunded, r.refunding, r."wasLost", ${paidOtherwise(sql.ref('p.payment_intent_id'))} as otherwise,
          (select coalesce(json_agg(d.status), '[]') from disputes d where d.payment_intent_id = p.payment_intent_id)
            as disputes
        from payments p cross join lateral (
          select coalesce(sum(amount) filter (where arrived), 0)::int as refunded,
            coalesce(sum(amount) filter (where asked and not arrived), 0)::int as refunding,
            coalesce(bool_or(lost), false) as "wasLost"
          from (
            -- one row for each refund and dispute: one that failed counts for nothing
            select max(f.amount_cents) as amount,
              bool_or(f.kind = 'refunded') and not bool_or(f.kind = 'refund_failed') as arrived,
              bool_or(f.kind = 'refund_pending') and not bool_or(f.kind = 'refund_failed') as asked,
              bool_or(f.kind = 'dispute_lost') as lost
            from payment_facts f where f.payment_intent_id = p.payment_intent_id group by f.stripe_id
          ) f
        ) r
        where p.session_id = s.id and p.settled_at is not null
      ) p) as payments,
      (select count(*)::int from payment_facts f
        where f.session_id = s.id and f.kind in ('refund_pending', 'refunded', 'dispute_lost')) as losses,
      (select to_json(u) from (
        select id, version, status, source_payment_id as "sourceIntentId",
          coalesce(open_until > now(), false) as reopened, open_until is not null as "wasReopened",
          coalesce(extract(epoch from greatest(current_period_end, trial_end) - ended_at), 0)::int as left
        from subscriptions where session_id = s.id
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

/**
 * Brings the grants and the payment status of a session, and the refunded amounts of its payments, in line with its
 * facts. Runs in the caller's transaction, which holds the lock on the session's row. Returns the products that this
 * opened and those that it closed.
 */
export async function applyGrants(tx: Database, sessionId: string): Promise<GrantChange> {
  const standing = await standingOf(tx, sessionId)
  const reopened = await reopen(tx, sessionId, standing)
  const change = await writeGrants(tx, sessionId, standing)
  await writeMoney(tx, sessionId, standing)
  await endSubscription(tx, sessionId, standing)
  return { ...change, reopened }
}

/** Closes what was reopened, once its time is over. */
export const closeProgramme: OutboxHandler = async ({ db }, job) => {
  const sessionId = job.session_id
  if (!sessionId) return
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, sessionId)
    await applyGrants(tx, sessionId)
  })
}

/**
 * What ended the subscription is undone, a lost dispute or a refund of all: gives the lost time back, without a charge.
 * Not where the money goes to the buyer all the same, because it is owed or asked for.
 */
async function reopen(tx: Database, sessionId: string, standing: Standing): Promise<GrantChange['reopened']> {
  const { payments, subscription } = standing
  if (!subscription || !isOver(subscription.status) || subscription.wasReopened || subscription.left <= 0) return null
  const chain = chainOf(payments).map(({ intentId }) => intentId)
  const latest = chain.at(-1)
  if (!latest || programmeGivenBack(payments)) return null
  const by = programmeWonBack(payments) ? 'appeal' : (await isTakenBack(tx, sessionId, latest)) ? 'refund' : null
  if (!by || (await isOwed(tx, chain)) || (await isAskedFor(tx, sessionId))) return null
  const until = new Date(Date.now() + subscription.left * 1000)
  await tx.updateTable('subscriptions').set({ open_until: until }).where('id', '=', subscription.id).execute()
  subscription.reopened = true
  await enqueue(tx, { kind: 'close_programme', reason: subscription.id, sessionId, payload: {}, sendAt: until })
  return by
}

/** Whether the refund that closed the programme was cancelled by an operator before it arrived. */
async function isTakenBack(tx: Database, sessionId: string, intentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select revoked_reason from product_access_grants
      where session_id = ${sessionId} and granted_via in ('initial_purchase', 'paypal_trial_subscription')
      order by granted_at desc limit 1
    ) g, (
      select stripe_id, detail from payment_facts
      where payment_intent_id = ${intentId} and kind = 'refund_failed' order by id desc limit 1
    ) f
    where g.revoked_reason = 'refunded' and f.detail = 'merchant_request'
      and not exists (select from payment_facts x where x.stripe_id = f.stripe_id and x.kind = 'refunded')`.execute(tx)
  return rows.length > 0
}

/** Whether a request under way would end the subscription. */
async function isAskedFor(tx: Database, sessionId: string): Promise<boolean> {
  const { rows } = await sql`select from money_back_requests where session_id = ${sessionId}
    and status = any(${UNDER_WAY}) and ${ENDS_SUBSCRIPTION} limit 1`.execute(tx)
  return rows.length > 0
}

/** A full refund ends the subscription too: it would charge for what it no longer opens. */
async function endSubscription(tx: Database, sessionId: string, standing: Standing): Promise<void> {
  const { payments, subscription, losses } = standing
  if (!subscription || isOver(subscription.status) || !programmeGivenBack(payments)) return
  const paidOut = payments.filter(({ otherwise }) => otherwise > 0).length
  await enqueue(tx, {
    kind: 'end_subscription',
    // a new job for what goes back after a failed refund, and for a subscription made after the refund
    reason: `${subscription.id}:${subscription.version}:${losses + paidOut}`,
    sessionId,
    payload: { subscription: subscription.id },
  })
}

/** Whether the subscription still has to end: a refund may have failed since. */
export async function isGivenBack(db: Database, sessionId: string): Promise<boolean> {
  return programmeGivenBack((await standingOf(db, sessionId)).payments)
}

async function writeGrants(
  tx: Database,
  sessionId: string,
  standing: Standing,
): Promise<Omit<GrantChange, 'reopened'>> {
  const { payments, live } = standing
  // an erased visit opens nothing: what was paid for it is refunded
  const due = standing.erased ? [] : grantsOf(payments, standing.subscription)
  const closed = live.filter(({ productId }) => !due.some((one) => one.productId === productId))
  for (const { id, productId } of closed) {
    await tx
      .updateTable('product_access_grants')
      .set({ revoked_at: sql<Date>`now()`, revoked_reason: endReasonOf(productId, payments) })
      .where('id', '=', id)
      .execute()
  }
  const opened = due.filter(({ productId }) => !live.some((one) => one.productId === productId))
  for (const { productId, via, sourceIntentId } of opened) {
    await sql`
      select grant_product_access(id, email, ${productId}, ${via}, ${sourceIntentId}) from sessions
        where id = ${sessionId}
    `.execute(tx)
  }
  const names = (of: readonly { productId: string }[]) => of.map(({ productId }) => productId)
  return { opened: names(opened), closed: names(closed) }
}

async function writeMoney(tx: Database, sessionId: string, standing: Standing): Promise<void> {
  const { payments } = standing
  for (const payment of payments) {
    const { intentId, amount, refunded, refunding, otherwise, ...now } = payment
    const back = refunded + otherwise
    const status =
      isTaken(payment) || isHeld(payment)
        ? 'disputed'
        : amount > 0 && back >= amount
          ? 'refunded'
          : refunding > 0
            ? 'refund_pending'
            : back > 0
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

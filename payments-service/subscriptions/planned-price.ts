/**
 * H-01: the price of running subscriptions follows a changed catalogue only after its buyer was notified: planned by
 * `npm run price-change`, announced 7 to 30 days before the first charge of it, and changed at Stripe once that mail
 * was sent. Until then everybody keeps the price they have.
 */
import { keepsPriceIn } from '../../contract/duties/table.ts'
import { ORDERED_PERIOD, samePeriod } from '../../contract/period.ts'
import { collectedAt, PRICE_NOTICE_DAYS } from '../../contract/terms.ts'
import { DAY } from '../../contract/time.ts'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { PriceChanges } from '../../db/types.ts'
import type { Deps } from '../deps.ts'
import { enqueueAll, isQueued, MAIL_SENT, type OutboxEntry } from '../jobs/outbox.queries.ts'
import type { OutboxHandler, OutboxJob } from '../jobs/outbox.ts'
import { isLeaving, type NextCharge, type SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { lockSession } from '../sessions/lock.ts'
import type { Price, Subscription } from '../stripe/objects.ts'
import { isOver, statusesWith } from '../stripe/subscription-status.ts'

/** A mail is tried for about half a day (queue/policies.ts). */
const MAIL_TRIES = DAY / 2

export type PlannedPrice = Selectable<PriceChanges>

/** What is known of a subscription after a read of Stripe. */
export interface Look {
  subscription: Subscription
  next: NextCharge | null
}

/** The plan of a subscription that is not done yet. */
export function openPlan(db: Database, subscriptionId: string): Promise<PlannedPrice | undefined> {
  return db
    .selectFrom('price_changes')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('done_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Ends the plans of every other price that nobody was told of: the catalogue's price was corrected, or went back. Their
 * mails that wait are not sent then. One that was announced stays, because its buyer knows of it.
 */
export async function dropOtherPlans({ db }: Pick<Deps, 'db'>, { amount }: Price): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('price_changes')
    .set({ done_at: sql<Date>`now()`, outcome: 'superseded' })
    .where('done_at', 'is', null)
    .where('new_cents', '!=', amount)
    .where(
      sql<boolean>`not exists (
        select from outbox o join subscriptions s on s.session_id = o.session_id
        where s.id = price_changes.subscription_id and o.kind = 'mail:price_changed' and ${MAIL_SENT}
          and o.payload ->> 'plan' = price_changes.id::text)`,
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The subscriptions that renew and are not being left, but for buyers whose law asks for their consent. */
export async function repriceable({ db }: Pick<Deps, 'db'>): Promise<SubscriptionRow[]> {
  const rows = await db
    .selectFrom('subscriptions as s')
    .leftJoin('session_metadata as m', 'm.session_id', 's.session_id')
    .selectAll('s')
    .select('m.country')
    .where('s.status', 'in', statusesWith('renews'))
    .where('s.stripe_subscription_id', 'is not', null)
    .where('s.cancel_requested_at', 'is', null)
    .where('s.cancel_at', 'is', null)
    .orderBy('s.id')
    .execute()
  return rows.filter(({ country }) => !keepsPriceIn(country ?? ''))
}

/**
 * Whether it costs another amount than `price`, and is as it is sold: one item, once, for that period. What an operator
 * moved to another period stays there: Stripe would charge the way back at once. Of several, one would cost `price`.
 */
export const mayFollow = (subscription: Subscription, price: Price): boolean =>
  subscription.amount !== null && subscription.amount !== price.amount && isAsSold(subscription)

const isAsSold = ({ isSingle, period }: Subscription): boolean =>
  isSingle && period !== null && samePeriod(period, ORDERED_PERIOD)

/**
 * Plans `price` for one subscription that Stripe charges another price for, and announces it if there is time before
 * the next charge; else the next period's beginning does. False where nothing changes, or a plan is under way.
 */
export async function planPrice(deps: Deps, row: SubscriptionRow, price: Price, look: Look): Promise<boolean> {
  const { amount } = look.subscription
  if (amount === null || !mayFollow(look.subscription, price) || isOver(look.subscription.status)) return false
  const planned = await deps.db.transaction().execute(async (tx) => {
    await lockSession(tx, row.session_id)
    const made = await tx
      .insertInto('price_changes')
      .values({ subscription_id: row.id, old_cents: amount, new_cents: price.amount, price_id: price.id })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) await enqueueAll(tx, await announcements(tx, row, look))
    return made !== undefined
  })
  deps.wake('outbox')
  return planned
}

/**
 * The time by a subscription's own clock: this machine's, kept within the running period, because Stripe's clock (a
 * test clock) may be ahead.
 */
function ownClock({ periodStart, periodEnd }: Subscription, at = Date.now()): number {
  return Math.min(Math.max(at, periodStart?.getTime() ?? at), periodEnd?.getTime() ?? at)
}

/** The mail about a plan that waits for it, with the job that follows it, once the period leaves the time for both. */
export async function announcements(
  tx: Database,
  row: Pick<SubscriptionRow, 'id' | 'session_id'>,
  { subscription, next }: Look,
): Promise<OutboxEntry[]> {
  const { periodEnd, status } = subscription
  if (!isAsSold(subscription)) return []
  // a first full charge is as it was agreed; what is being collected is at the old price
  if (!next || !periodEnd || next.at < periodEnd || status === 'trialing' || isLeaving(subscription)) return []
  const lead = periodEnd.getTime() - ownClock(subscription)
  if (lead < PRICE_NOTICE_DAYS.least * DAY + MAIL_TRIES || lead > PRICE_NOTICE_DAYS.most * DAY) return []
  const plan = await openPlan(tx, row.id)
  if (!plan || plan.from_at) return []
  const reason = `${plan.id}:${periodEnd.toISOString()}`
  // the mail about this period could not be sent: the next one has its own
  if (await isQueued(tx, 'change_price', reason)) return []
  const { numUpdatedRows } = await tx
    .updateTable('price_changes')
    .set({ from_at: periodEnd })
    .where('id', '=', plan.id)
    .where('done_at', 'is', null)
    .where('from_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return []
  return [
    {
      kind: 'mail:price_changed',
      reason,
      sessionId: row.session_id,
      payload: { subscription: row.id, plan: plan.id, price: plan.new_cents, chargeAt: collectedAt(periodEnd) },
      notAfter: new Date(periodEnd.getTime() - PRICE_NOTICE_DAYS.least * DAY),
    },
    { kind: 'change_price', reason, sessionId: row.session_id, payload: { plan: plan.id } },
  ]
}

/** Whether the mail of this job's announcement was sent; undefined while it waits. */
async function wasTold(db: Database, job: OutboxJob): Promise<boolean | undefined> {
  const key = job.dedupe_key.replace(/^change_price:/, 'mail:price_changed:')
  const { rows } = await sql<{ told: boolean | null }>`
    select case when sent_at is null and dead_at is null then null else ${MAIL_SENT} end as told
    from outbox where dedupe_key = ${key}`.execute(db)
  return rows[0]?.told ?? (rows[0] ? undefined : false)
}

const close = (db: Database, id: string, outcome: NonNullable<PlannedPrice['outcome']>) =>
  db
    .updateTable('price_changes')
    .set({ done_at: sql<Date>`now()`, outcome })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute()

/** Changes the price at Stripe after its mail was sent. Twice is once; a period that has moved on is announced anew. */
export function priceChanger(read: (deps: Deps, stripeId: string) => Promise<Look | undefined>): OutboxHandler {
  return async (deps, job) => {
    const { db, stripe } = deps
    const plan = await db
      .selectFrom('price_changes as p')
      .innerJoin('subscriptions as s', 's.id', 'p.subscription_id')
      .selectAll('p')
      .select(['s.stripe_subscription_id as stripe_id', 's.cancel_requested_at'])
      .where('p.id', '=', String(job.payload['plan']))
      .where('p.done_at', 'is', null)
      .executeTakeFirst()
    if (!plan?.stripe_id) return 'done already'
    const told = await wasTold(db, job)
    if (told === undefined) throw new Error('the mail about the new price was not sent yet')
    const look = await read(deps, plan.stripe_id)
    if (!look || isOver(look.subscription.status) || isLeaving(look.subscription) || plan.cancel_requested_at) {
      return void (await close(db, plan.id, 'left'))
    }
    const { amount, periodEnd } = look.subscription
    const otherwise = (amount !== plan.old_cents && amount !== plan.new_cents) || !isAsSold(look.subscription)
    if (otherwise) return void (await close(db, plan.id, 'superseded'))
    if (!told || periodEnd?.getTime() !== plan.from_at?.getTime()) {
      await db.updateTable('price_changes').set({ from_at: null }).where('id', '=', plan.id).execute()
      return 'the period is over before its buyer was told'
    }
    if (amount === plan.old_cents) await stripe.changePrice(plan.stripe_id, plan.price_id, undefined)
    await close(db, plan.id, 'changed')
    await read(deps, plan.stripe_id)
  }
}

import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import type { Deadline } from '../http/deadline.ts'
import { enqueueAll, type OutboxEntry } from '../jobs/outbox.queries.ts'
import { lockSession } from '../sessions/lock.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Invoice, Subscription } from '../stripe/objects.ts'
import { followStatus } from './account-status.ts'
import { periodNotices } from './period-notices.ts'
import { announcements } from './planned-price.ts'
import { priceChanged } from './price-change.ts'
import { recordRenewals } from './renewals.ts'
import { isOver } from '../stripe/subscription-status.ts'
import {
  findBySource,
  type Followed,
  isLeaving,
  isRowLeaving,
  type SubscriptionRow,
  updateSubscription,
} from '../payments/subscriptions.queries.ts'
import { endsForNobody, endWithPeriod, goesOnForAnother, takenBack } from './steps.ts'
import { begun } from './begun.ts'
import { accessEnded, cancellationConfirmed, cancellationUndone, reminder } from './told.ts'
import { hasFirstCharge, takeInFirstCharge } from './without-visit.ts'
import { isUnpaid, latestOf, type Upcoming, upcomingOf, withTries } from './upcoming.ts'

const ROUNDS = 8

/**
 * P-10, P-12: brings a subscription's row, its renewals and then the grants in line with Stripe. It reads the same
 * whatever the event was, so any order of events ends in Stripe's state. Returns what it saw; undefined for a
 * subscription that is not ours.
 */
export async function syncSubscription(deps: Deps, id: string, by: Deadline | undefined): Promise<Now | undefined> {
  for (let round = 0; round < ROUNDS; round++) {
    const known = await deps.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('stripe_subscription_id', '=', id)
      .executeTakeFirst()
    const subscription = await read(deps, id, by)
    if (!subscription) return undefined
    const row = known ?? (await findBySource(deps.db, subscription.metadata['source'] ?? ''))
    if (!(row && (await hasFirstCharge(deps.db, row))) && (await takeInFirstCharge(deps, subscription, by))) continue
    if (!row) return undefined
    if (row.stripe_subscription_id && row.stripe_subscription_id !== id) {
      await endExtra(deps, subscription, by)
      return undefined
    }
    if (endsForNobody(row, subscription)) {
      await endWithPeriod(deps, id, false, row.cancel_taken_back, by)
      continue
    }
    const invoices = await withTries(deps, subscription, await deps.stripe.listInvoices(id, by), by)
    const asked = row.cancel_requested_at !== null
    const now: Now = { subscription, invoices, ...(await upcomingOf(deps, subscription, invoices, asked, by)) }
    if (isOtherPrice(now) && !isDeepStrictEqual(await read(deps, id, by), subscription)) continue
    if (!differs(row, now) || (await write(deps, row, now))) {
      await recordRenewals(deps, row, now, by)
      return now
    }
  }
  throw new Error('a subscription changed faster than it could be read')
}

/** A subscription with everything that follows from it, as of one read of Stripe. */
export interface Now extends Upcoming {
  subscription: Subscription
  invoices: readonly Invoice[]
}

/**
 * Whether what comes next is priced unlike the subscription: another price, or a change, like an earlier end, that came
 * after the subscription was read.
 */
const isOtherPrice = ({ subscription, next }: Now): boolean =>
  next !== null && next.price !== null && next.price !== subscription.amount

async function read({ stripe }: Deps, id: string, by: Deadline | undefined): Promise<Subscription | undefined> {
  try {
    return await stripe.readSubscription(id, by)
  } catch (error) {
    if (isFailure(error, 'missing')) return undefined
    throw error
  }
}

/** A session must not have two live subscriptions: the one that no row holds is ended before it charges anything. */
async function endExtra({ stripe, log }: Deps, subscription: Subscription, by: Deadline | undefined): Promise<void> {
  if (isOver(subscription.status)) return
  log.error({ subscription: subscription.id }, 'a second subscription for one source was ended')
  await stripe.cancelSubscription(subscription.id, by)
}

const same = (a: Date | null, b: Date | null): boolean => (a?.getTime() ?? 0) === (b?.getTime() ?? 0)

/** The row's columns about invoices and a cancellation, after this read. */
function followedOf(row: SubscriptionRow, { subscription, invoices, next, owed }: Now): Followed {
  const leaving = isLeaving(subscription)
  const columns = {
    next_charge_cents: next?.amount ?? null,
    next_charge_at: next?.at ?? null,
    next_price_cents: next?.price ?? null,
    owed_cents: owed,
    agreed_cents: row.agreed_cents ?? next?.price ?? null,
  }
  const { cancel_requested_at, cancel_done_at, cancel_taken_back } = row
  if (cancel_done_at && !leaving && !isOver(subscription.status)) {
    // a late step for an earlier one that was taken back: this one is to be carried out again
    if (goesOnForAnother(row, subscription)) {
      return { ...columns, cancel_requested_at, cancel_done_at: null, cancel_taken_back }
    }
    // taken back after it was carried out, here or in Stripe's dashboard
    const taken = takenBack(row, subscription)
    return { ...columns, cancel_requested_at: null, cancel_done_at: null, cancel_taken_back: taken }
  }
  const done = (leaving || isOver(subscription.status)) && !invoices.some(isUnpaid)
  return {
    ...columns,
    cancel_requested_at,
    cancel_taken_back,
    cancel_done_at: cancel_requested_at && done ? (cancel_done_at ?? new Date()) : null,
  }
}

function differs(row: SubscriptionRow, look: Now): boolean {
  const now = look.subscription
  const followed = followedOf(row, look)
  return !(
    row.stripe_subscription_id === now.id &&
    row.status === now.status &&
    row.price_id === now.priceId &&
    row.period_unit === (now.period?.unit ?? null) &&
    row.period_count === (now.period?.count ?? null) &&
    row.payment_method_id === now.paymentMethodId &&
    row.cancel_at_period_end === now.cancelAtPeriodEnd &&
    row.collection_paused === (now.paused !== null) &&
    same(row.collection_resumes_at, now.paused?.resumesAt ?? null) &&
    same(row.trial_end, now.trialEnd) &&
    same(row.current_period_end, now.periodEnd) &&
    same(row.cancel_at, now.cancelAt) &&
    same(row.canceled_at, now.canceledAt) &&
    same(row.ended_at, now.endedAt) &&
    row.next_charge_cents === followed.next_charge_cents &&
    same(row.next_charge_at, followed.next_charge_at) &&
    row.next_price_cents === followed.next_price_cents &&
    row.owed_cents === followed.owed_cents &&
    row.agreed_cents === followed.agreed_cents &&
    same(row.cancel_requested_at, followed.cancel_requested_at) &&
    same(row.cancel_done_at, followed.cancel_done_at) &&
    same(row.cancel_taken_back, followed.cancel_taken_back)
  )
}

async function write(deps: Deps, row: SubscriptionRow, look: Now): Promise<boolean> {
  const now = look.subscription
  const written = await deps.db.transaction().execute(async (tx) => {
    await lockSession(tx, row.session_id)
    if (!(await updateSubscription(tx, row, now, followedOf(row, look)))) return false
    await tx
      .updateTable('sessions')
      .set({ stripe_subscription_id: now.id })
      .where('id', '=', row.session_id)
      .where(sql<boolean>`stripe_subscription_id is distinct from ${now.id}`)
      .execute()
    await applyGrants(tx, row.session_id)
    await followStatus(tx, row.session_id, row.status === 'creating' && now.status === 'trialing')
    await enqueueAll(tx, [
      ...(await toldOf(tx, row, look)),
      ...(await priceChanged(tx, row, { subscription: now, next: isLeaving(now) ? null : look.next })),
      ...(await announcements(tx, row, look)),
      ...(await periodNotices(tx, row, now, look.next)),
      // the answer to its creation may never come
      ...(row.status === 'creating' && now.trialEnd ? [await begun(tx, row, now)] : []),
    ])
    return true
  })
  if (written) deps.wake('outbox')
  return written
}

/** The mails to the buyer about a change. */
async function toldOf(
  tx: Database,
  row: SubscriptionRow,
  { subscription: now, invoices, next }: Now,
): Promise<OutboxEntry[]> {
  const ended = isOver(now.status)
  const leaving = isLeaving(now)
  const wasLeaving = isRowLeaving(row)
  const told: OutboxEntry[] = []
  if (leaving && !wasLeaving && !ended) told.push(cancellationConfirmed(row, now))
  if (!leaving && wasLeaving && !ended) told.push(cancellationUndone(row, now, next))
  if (now.status === 'trialing' && next && !leaving) told.push(...(await reminder(tx, row.session_id, now, next)))
  const latest = latestOf(now, invoices)
  // a bill of the end is still collected, or is about to be voided
  const given = latest && ended && latest.status !== 'paid' && !latest.advances
  const dropped = given && latest.amountDue > 0 ? latest.amountDue : null
  const over = accessEnded(row, now, dropped)
  return over ? [...told, over] : told
}

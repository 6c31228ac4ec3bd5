import { type Selectable, sql } from 'kysely'
import { product } from '../../contract/catalogue.ts'
import { emailKey } from '../../contract/email.ts'
import type { Cents } from '../../contract/money.ts'
import type { Database } from '../../db/connect.ts'
import type { Subscriptions } from '../../db/types.ts'
import type { Subscription } from '../stripe/objects.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { latestAgreement } from './intents.queries.ts'
import { leftSince, withdrawnSince } from './left-since.queries.ts'

export type SubscriptionRow = Selectable<Subscriptions>

/** A charge that Stripe will make automatically. Cents. */
export interface NextCharge {
  amount: number
  /** The price of a period in it, before discounts and one-off amounts; null where it contains none. */
  price: number | null
  at: Date
}

/** Whether it ends before another period begins. One that ends on a later day renews and charges until then. */
export function isLeaving({
  cancelAt,
  cancelAtPeriodEnd,
  periodEnd,
}: Pick<Subscription, 'cancelAt' | 'cancelAtPeriodEnd' | 'periodEnd'>): boolean {
  return cancelAtPeriodEnd || (cancelAt !== null && (!periodEnd || cancelAt <= periodEnd))
}

/** The same, of its row. */
export const isRowLeaving = (
  row: Pick<SubscriptionRow, 'cancel_at' | 'cancel_at_period_end' | 'current_period_end'>,
): boolean =>
  isLeaving({ cancelAt: row.cancel_at, cancelAtPeriodEnd: row.cancel_at_period_end, periodEnd: row.current_period_end })

/** The same, in a statement. */
export const ROW_LEAVING = sql<boolean>`(
  cancel_at_period_end or coalesce(cancel_at <= coalesce(current_period_end, cancel_at), false)
)`

export interface Claim {
  sessionId: string
  productId: string
  /** The payment or setup intent that started it; for the monthly product its intent row until the intent is known. */
  sourceId: string
  customerId: string
  paymentMethodId: string | null
  /** The address that this is the one subscription of (one-an-address.ts); none until it is paid. */
  email?: string | null
  /** When the first payment was made; a set-up counts from its opening. */
  paidAt?: Date
  /** The price of a period, where that is known; else as the order was agreed to. Cents. */
  agreed?: Cents
}

/**
 * Claims the one live subscription of a session, and of its address, for a source. `fresh`: Stripe has not been asked
 * for it yet. Undefined when another source holds either.
 */
export async function claimSubscription(
  db: Database,
  claim: Claim,
): Promise<{ row: SubscriptionRow; fresh: boolean } | undefined> {
  const made = await db
    .insertInto('subscriptions')
    .values({
      session_id: claim.sessionId,
      product_id: claim.productId,
      source_payment_id: claim.sourceId,
      stripe_customer_id: claim.customerId,
      payment_method_id: claim.paymentMethodId,
      agreed_cents: claim.agreed ?? agreedPrice(db, claim.sourceId),
      subscriber_email: claim.email ? emailKey(claim.email) : null,
      // H-04: a cancellation in this visit also applies to subscriptions made later
      cancel_requested_at: sql<Date>`greatest(
        (select max(cancel_requested_at) from subscriptions where session_id = ${claim.sessionId}),
        ${withdrawnSince(db, claim)},
        ${leftSince(db, claim)}
      )`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made) return { row: made, fresh: true }
  const row = await findBySource(db, claim.sourceId)
  return row && { row, fresh: false }
}

/**
 * H-01, H-03: the first full amount of the order, as its page showed it: the catalogue's price may have changed between
 * the order and its payment. Orders without evidence: the catalogue's.
 */
function agreedPrice(db: Database, sourceId: string) {
  const cents = latestAgreement(db, sourceId).select(sql`(amounts ->> 'firstFullAmount')::int`.as('cents'))
  return sql<Cents>`coalesce(${cents}, ${product('monthly').price}::int)`
}

export function findBySource(db: Database, sourceId: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom('subscriptions').selectAll().where('source_payment_id', '=', sourceId).executeTakeFirst()
}

/** The live subscription of a session: claimed, trialing, active, past due … */
export function openSubscription(db: Database, sessionId: string): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('status', 'not in', OVER)
    .executeTakeFirst()
}

/**
 * H-04: records that the buyer has cancelled one subscription, or every live one of a session. `carryOut`
 * (subscriptions/cancel.ts) carries it out, also after a crash; cancelling again changes nothing. `at`: when it was
 * received, where that was earlier.
 */
export async function keepCancellation(
  db: Database,
  of: { id: string } | { sessionId: string },
  at?: Date,
): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({
      cancel_requested_at: sql<Date>`coalesce(cancel_requested_at, ${at ?? null}::timestamptz, now())`,
      cancel_done_at: null,
      looked_at: null,
      // a read of Stripe that began before must not overwrite it
      version: sql<number>`version + 1`,
    })
    .where((eb) =>
      'id' in of ? eb('id', '=', of.id) : eb.and([eb('session_id', '=', of.sessionId), eb('status', 'not in', OVER)]),
    )
    .where(({ or, eb }) => or([eb('cancel_requested_at', 'is', null), eb('cancel_done_at', 'is not', null)]))
    .execute()
}

/** Derived from the source; counted up only after Stripe answered a try with an error, which its key would replay. */
export function subscriptionKey(sourceId: string, version: number): string {
  return `subscription:${sourceId}:${version}`
}

/** The columns that follow from Stripe's subscription. */
function columnsOf(subscription: Subscription) {
  return {
    collection_paused: subscription.paused !== null,
    collection_resumes_at: subscription.paused?.resumesAt ?? null,
    stripe_subscription_id: subscription.id,
    stripe_customer_id: subscription.customerId,
    price_id: subscription.priceId,
    period_unit: subscription.period?.unit ?? null,
    period_count: subscription.period?.count ?? null,
    payment_method_id: subscription.paymentMethodId,
    status: subscription.status,
    trial_end: subscription.trialEnd,
    current_period_start: subscription.periodStart,
    current_period_end: subscription.periodEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancel_at: subscription.cancelAt,
    canceled_at: subscription.canceledAt,
    ended_at: subscription.endedAt,
    error: null,
  }
}

/** The columns that follow from the invoices, and from what the buyer asked for. */
export type Followed = Pick<
  SubscriptionRow,
  | 'next_charge_cents'
  | 'next_charge_at'
  | 'next_price_cents'
  | 'owed_cents'
  | 'agreed_cents'
  | 'cancel_requested_at'
  | 'cancel_done_at'
  | 'cancel_taken_back'
>

/**
 * Writes Stripe's state into a row that holds this subscription or none yet. False when it holds another one. `first`:
 * only where it holds none, with the charge that follows: what an event has linked may be newer, and changed since.
 */
export async function linkSubscription(
  db: Database,
  rowId: string,
  subscription: Subscription,
  sourceId: string | null,
  first?: { next: NextCharge | null },
): Promise<boolean> {
  const next = first?.next
  const linked = await db
    .updateTable('subscriptions')
    .set({
      ...columnsOf(subscription),
      ...(sourceId ? { source_payment_id: sourceId } : {}),
      next_charge_cents: next?.amount ?? null,
      next_charge_at: next?.at ?? null,
      next_price_cents: next?.price ?? null,
      // created as cancelled: the buyer's request is carried out
      ...(isLeaving(subscription)
        ? { cancel_done_at: sql<Date>`case when cancel_requested_at is null then null else now() end` }
        : {}),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', rowId)
    .where(({ or, eb }) =>
      or([
        eb('stripe_subscription_id', 'is', null),
        ...(first ? [] : [eb('stripe_subscription_id', '=', subscription.id)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return linked !== undefined
}

/** Like linkSubscription, but only if nothing was written since `row` was read. False on a mismatch: read again. */
export async function updateSubscription(
  tx: Database,
  row: SubscriptionRow,
  subscription: Subscription,
  more: Followed,
): Promise<boolean> {
  const written = await tx
    .updateTable('subscriptions')
    .set({ ...columnsOf(subscription), ...more, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/**
 * Gives up a claim that Stripe has nothing for. If Stripe creates the subscription after all, its events link and end
 * it.
 */
export async function closeClaim(db: Database, rowId: string): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ status: 'canceled', ended_at: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where('id', '=', rowId)
    .where('status', '=', 'creating')
    .where('stripe_subscription_id', 'is', null)
    .execute()
}

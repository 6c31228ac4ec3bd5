import { sql } from 'kysely'
import { settlePayment } from '../checkout/settle.ts'
import type { Deps } from '../deps.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import type { Deadline } from '../http/deadline.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Invoice, Subscription } from '../stripe/objects.ts'
import { isOver, meaningOf } from './status.ts'
import { findBySource, type SubscriptionRow, updateSubscription } from './subscriptions.queries.ts'

const ROUNDS = 8

/**
 * P-10, P-12: brings the row of a subscription to what Stripe says now, its renewals into the payments, and the grants
 * after both. The same re-read whatever the event was, so any order of events ends in Stripe's state.
 */
export async function syncSubscription(deps: Deps, id: string, by: Deadline | undefined): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const known = await deps.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('stripe_subscription_id', '=', id)
      .executeTakeFirst()
    const subscription = await read(deps, id, by)
    if (!subscription) return
    const row = known ?? (await findBySource(deps.db, subscription.metadata['source'] ?? ''))
    if (!row) return
    if (row.stripe_subscription_id && row.stripe_subscription_id !== id) return endExtra(deps, subscription, by)
    if (!differs(row, subscription) || (await write(deps, row, subscription))) {
      await recordRenewals(deps, row, subscription, by)
      return
    }
  }
  throw new Error('a subscription changed faster than it could be read')
}

async function read({ stripe }: Deps, id: string, by: Deadline | undefined): Promise<Subscription | undefined> {
  try {
    return await stripe.readSubscription(id, by)
  } catch (error) {
    if (isFailure(error, 'missing')) return undefined
    throw error
  }
}

/** Two live subscriptions for one session must not be: the one that no row holds is ended before it charges anything. */
async function endExtra({ stripe, log }: Deps, subscription: Subscription, by: Deadline | undefined): Promise<void> {
  if (isOver(subscription.status)) return
  log.error({ subscription: subscription.id }, 'a second subscription for one source was ended')
  await stripe.cancelSubscription(subscription.id, by)
}

const same = (a: Date | null, b: Date | null): boolean => (a?.getTime() ?? 0) === (b?.getTime() ?? 0)

function differs(row: SubscriptionRow, now: Subscription): boolean {
  return !(
    row.stripe_subscription_id === now.id &&
    row.status === now.status &&
    row.price_id === now.priceId &&
    row.payment_method_id === now.paymentMethodId &&
    row.cancel_at_period_end === now.cancelAtPeriodEnd &&
    same(row.trial_end, now.trialEnd) &&
    same(row.current_period_end, now.periodEnd) &&
    same(row.cancel_at, now.cancelAt) &&
    same(row.canceled_at, now.canceledAt) &&
    same(row.ended_at, now.endedAt)
  )
}

async function write(deps: Deps, row: SubscriptionRow, now: Subscription): Promise<boolean> {
  const written = await deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('sessions').select('id').where('id', '=', row.session_id).forUpdate().execute()
    if (!(await updateSubscription(tx, row, now))) return false
    await tx
      .updateTable('sessions')
      .set({ stripe_subscription_id: now.id })
      .where('id', '=', row.session_id)
      .where(sql<boolean>`stripe_subscription_id is distinct from ${now.id}`)
      .execute()
    await applyGrants(tx, row.session_id)
    if (!(row.status === 'creating' && now.status === 'trialing')) {
      await tx
        .updateTable('users')
        .set({ subscription_status: meaningOf(now.status).account })
        .where('session_id', '=', row.session_id)
        .execute()
    }
    const about = { sessionId: row.session_id }
    const leaving = now.cancelAtPeriodEnd || now.cancelAt !== null
    const wasLeaving = row.cancel_at_period_end || row.cancel_at !== null
    if (leaving && !wasLeaving && !isOver(now.status)) {
      await enqueue(tx, {
        kind: 'mail:cancellation_confirmed',
        // one per change of the row: cancelled, kept and cancelled again within a second is told three times
        reason: `${now.id}:${row.version}`,
        ...about,
        payload: { canceledAt: now.canceledAt, accessUntil: now.cancelAt ?? now.periodEnd },
      })
    }
    if (!leaving && wasLeaving && !isOver(now.status)) {
      await enqueue(tx, {
        kind: 'mail:cancellation_undone',
        reason: `${now.id}:${row.version}`,
        ...about,
        payload: { nextChargeAt: now.periodEnd },
      })
    }
    // all tries failed: closed until it is paid; where Stripe ends it afterwards, nothing new is told
    const closed = now.status === 'unpaid' && row.status !== 'unpaid'
    const over = now.status === 'canceled' && row.status !== 'canceled' && row.status !== 'unpaid'
    if (closed || over) {
      await enqueue(tx, {
        kind: 'mail:access_ended',
        reason: closed ? `${now.id}:unpaid:${now.latestInvoiceId ?? ''}` : now.id,
        ...about,
        payload: {
          reason: closed || now.endedFor === 'payment_failed' ? 'payment_failed' : 'cancelled',
          endedAt: now.endedAt ?? now.canceledAt,
        },
      })
    }
    return true
  })
  if (written) deps.wake('outbox')
  return written
}

/** Every paid invoice of a subscription is a payment of its session; an open one that failed is told to the buyer. */
async function recordRenewals(
  deps: Deps,
  row: SubscriptionRow,
  subscription: Subscription,
  by: Deadline | undefined,
): Promise<void> {
  if (subscription.status === 'trialing' || subscription.status === 'incomplete') return
  const invoices = await deps.stripe.listInvoices(subscription.id, by)
  for (const invoice of invoices) {
    if (invoice.status === 'paid' && invoice.amountPaid > 0) await recordRenewal(deps, row, invoice, by)
    if (invoice.status === 'open' && invoice.attempts > 0) await tellOfFailure(deps, row, invoice)
  }
}

async function recordRenewal(
  deps: Deps,
  row: SubscriptionRow,
  invoice: Invoice,
  by: Deadline | undefined,
): Promise<void> {
  const { db, stripe } = deps
  const purpose = `renewal:${invoice.id}`
  const settled = await db
    .selectFrom('payments')
    .select('id')
    .where('session_id', '=', row.session_id)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  if (settled) return
  const paid = (await stripe.listInvoicePayments(invoice.id, by)).find((payment) => payment.paid)
  if (!paid) return
  // the monthly product's first invoice has its row already, as the first payment; then nothing is inserted
  await db
    .insertInto('payment_intents')
    .values({
      session_id: row.session_id,
      purpose,
      stripe_intent_id: paid.intentId,
      stripe_customer_id: row.stripe_customer_id,
      product_id: 'monthly',
      price_id: row.price_id,
      amount_cents: invoice.amountPaid,
      currency: invoice.currency,
      status: 'invoiced',
      closed_at: new Date(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await settlePayment(deps, paid.intentId, by)
}

async function tellOfFailure({ db }: Deps, row: SubscriptionRow, invoice: Invoice): Promise<void> {
  await enqueue(db, {
    kind: 'mail:payment_failed',
    reason: `${invoice.id}:${invoice.attempts}`,
    sessionId: row.session_id,
    payload: {
      invoiceId: invoice.id,
      amount: invoice.amountDue,
      currency: invoice.currency,
      attempt: Math.min(3, invoice.attempts),
      nextTryAt: invoice.nextAttempt,
    },
  })
}

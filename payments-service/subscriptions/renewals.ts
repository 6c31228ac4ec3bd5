import { sql } from 'kysely'
import { settlePayment } from '../payments/settle.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { giveBackLater } from '../refunds/owe.ts'
import type { Invoice, Subscription } from '../stripe/objects.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { isFailed } from './upcoming.ts'

/**
 * Records every paid invoice of a subscription as a payment of its session, mails the buyer about an open one that
 * failed, and refunds one that was charged after the buyer had cancelled.
 */
export async function recordRenewals(
  deps: Deps,
  row: SubscriptionRow,
  { subscription, invoices }: { subscription: Subscription; invoices: readonly Invoice[] },
  by: Deadline | undefined,
): Promise<void> {
  const { status, trialEnd } = subscription
  if (status === 'incomplete') return
  // in a trial that was given later, older bills are still collected; that of its end is read with the status it brings
  const isOlder = ({ created }: Invoice): boolean => trialEnd !== null && created < trialEnd
  for (const invoice of status === 'trialing' ? invoices.filter(isOlder) : invoices) {
    if (invoice.status === 'paid' && invoice.amountPaid > 0) await recordPaid(deps, row, invoice, by)
    if (isFailed(invoice)) await tellOfFailure(deps, row, invoice, subscription.paymentMethodId)
  }
  const late = row.cancel_requested_at ? await chargedAfterCancelling(deps.db, row.id) : []
  for (const { intentId, refunded } of late) {
    if (refunded === 0) await giveBackLater(deps, { sessionId: row.session_id, intentId, cause: 'cancelled' })
  }
}

async function recordPaid(deps: Deps, row: SubscriptionRow, invoice: Invoice, by: Deadline | undefined): Promise<void> {
  // P-05: the monthly product's first invoice is the first payment, which has its row (hasFirstCharge)
  if (row.product_id === 'monthly' && invoice.billingReason === 'subscription_create') {
    await settlePayment(deps, row.source_payment_id ?? '', by)
  } else await recordRenewal(deps, row, invoice, by)
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
      period_start: invoice.period?.start ?? null,
      period_end: invoice.period?.end ?? null,
      closed_at: new Date(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await settlePayment(deps, paid.intentId, by)
}

async function tellOfFailure(
  { db }: Deps,
  row: SubscriptionRow,
  invoice: Invoice,
  methodId: string | null,
): Promise<void> {
  await enqueue(db, {
    kind: 'mail:payment_failed',
    reason: `${invoice.id}:${invoice.attempts}`,
    sessionId: row.session_id,
    payload: {
      invoiceId: invoice.id,
      amount: invoice.amountRemaining,
      currency: invoice.currency,
      attempt: invoice.attempts,
      nextTryAt: invoice.nextAttempt,
      refusedMethod: invoice.refusedForGood ? methodId : null,
    },
  })
}

/**
 * H-04: renewals recorded after the buyer had cancelled. Both times are by the database's clock; cancelling reads
 * Stripe first, so what was charged before is on record by then.
 */
export async function chargedAfterCancelling(
  db: Database,
  subscriptionId: string,
): Promise<{ intentId: string; refunded: number }[]> {
  return db
    .selectFrom('payments as p')
    .innerJoin('subscriptions as s', 's.session_id', 'p.session_id')
    .select(['p.payment_intent_id as intentId', 'p.refunded_cents as refunded'])
    .where('s.id', '=', subscriptionId)
    .where('p.purpose', 'like', 'renewal:%')
    .where('p.settled_at', 'is not', null)
    .whereRef('p.created_at', '>', sql.ref('s.cancel_requested_at'))
    .execute()
}

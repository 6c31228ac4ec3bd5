import { sql } from 'kysely'
import { product } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isOver } from '../stripe/subscription-status.ts'
import { chargeMetadata } from './installation.ts'
import {
  claimSubscription,
  closeClaim,
  findBySource,
  linkSubscription,
  openSubscription,
  subscriptionKey,
} from './subscriptions.queries.ts'
import { isCustomerGone, isFailure } from '../stripe/failure.ts'
import type { Intent } from '../stripe/objects.ts'
import type { IntentRow } from './intents.queries.ts'

/**
 * P-05: the monthly product is a subscription without a trial whose first invoice the buyer pays; there is never a
 * separate intent beside the invoice. Until the invoice's intent is known, the row's id is the source.
 */
export async function openMonthly(deps: Deps, row: IntentRow, by: Deadline): Promise<Intent> {
  const { db, stripe } = deps
  const customerId = row.stripe_customer_id ?? ''
  const claim = await claimSubscription(db, {
    sessionId: row.session_id,
    productId: 'monthly',
    sourceId: row.id,
    customerId,
    paymentMethodId: null,
    agreed: row.amount_cents,
  })
  if (!claim) throw new AppError('already_paid')
  try {
    const earlier = claim.fresh ? [] : await stripe.listSubscriptions(customerId, by)
    const found = earlier.find(({ metadata }) => metadata['source'] === row.id)
    const subscription = found
      ? await stripe.readSubscription(found.id, by)
      : await stripe.createSubscription(
          {
            customerId,
            price: row.price_id ?? '',
            method: row.payment_method === 'paypal' ? 'paypal' : 'card',
            description: product('monthly').name,
            metadata: chargeMetadata(deps.config, {
              sessionId: row.session_id,
              productId: 'monthly',
              purpose: row.purpose,
              source: row.id,
            }),
          },
          subscriptionKey(row.id, claim.row.version),
          by,
        )
    if (!subscription.invoiceIntent) throw new AppError('payment_setup_failed')
    const intent = await stripe.readIntent(subscription.invoiceIntent.id, by)
    await linkSubscription(db, claim.row.id, subscription, intent.id)
    return intent
  } catch (error) {
    if (isFailure(error) && error.answered) {
      await db
        .updateTable('subscriptions')
        // a claim for a deleted customer can never succeed: the next row makes its own
        .set({
          version: claim.row.version + 1,
          error: error.code,
          ...(isCustomerGone(error) ? { status: 'canceled', ended_at: sql<Date>`now()` } : {}),
        })
        .where('id', '=', claim.row.id)
        .execute()
    }
    throw error
  }
}

/**
 * Voids an unpaid invoice. Stripe refuses if an earlier call, whose answer was lost, already did: then its intent is
 * cancelled.
 */
async function endInvoice(
  { stripe }: Deps,
  invoiceId: string,
  intentId: string | null,
  by: Deadline | undefined,
): Promise<void> {
  try {
    await stripe.voidInvoice(invoiceId, by)
  } catch (error) {
    if (!isFailure(error, 'refused') || !intentId?.startsWith('pi_')) throw error
    if ((await stripe.readIntent(intentId, by)).status !== 'canceled') throw error
  }
}

/** Ends what was begun for an order's row, whether or not Stripe has made it. Throws as withdrawMonthly. */
export async function dropMonthly(deps: Deps, row: IntentRow, by: Deadline | undefined): Promise<void> {
  await withdrawMonthly(deps, row.session_id, by)
  const claim = await findBySource(deps.db, row.id)
  if (claim) await closeClaim(deps.db, claim.id)
}

/**
 * Ends the unpaid subscription of a session, its invoice first, so that it can no longer be paid. Throws already_paid
 * or StripeFailure (refused) when it was paid meanwhile.
 */
export async function withdrawMonthly(deps: Deps, sessionId: string, by: Deadline | undefined): Promise<void> {
  const { db, stripe } = deps
  const open = await openSubscription(db, sessionId)
  if (!open?.stripe_subscription_id) return
  if (open.status !== 'incomplete') throw new AppError('already_paid')
  const { latestInvoiceId } = await stripe.readSubscription(open.stripe_subscription_id, by)
  if (latestInvoiceId) await endInvoice(deps, latestInvoiceId, open.source_payment_id, by)
  const now = await stripe.readSubscription(open.stripe_subscription_id, by)
  await linkSubscription(
    db,
    open.id,
    isOver(now.status) ? now : await stripe.cancelSubscription(now.id, by),
    open.source_payment_id,
  )
}

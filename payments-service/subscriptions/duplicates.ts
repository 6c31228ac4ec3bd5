import type { Deps } from '../deps.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { startSubscription } from './start.ts'
import { isFailure } from '../stripe/failure.ts'
import { isOver } from '../stripe/subscription-status.ts'
import { findBySource, linkSubscription } from '../payments/subscriptions.queries.ts'
import { giveBack } from '../payments/give-back.ts'
import { oweNow } from '../refunds/owe.ts'
import { settlePayment } from '../payments/settle.ts'

/**
 * P-14: refunds a second charge. The mail follows from the refund's fact. If the charge was the first of a
 * subscription, that subscription is ended first, which makes room for the kept payment's.
 */
export const refundDuplicate: OutboxHandler = async (deps, job) => {
  const id = job.payload['intentId']
  if (typeof id !== 'string') throw new Error('a duplicate without its intent')
  await endSubscriptionOf(deps, id)
  const cause = job.payload['cause'] === 'no_visit' ? 'no_visit' : 'duplicate'
  const owed = job.session_id && (await oweNow(deps, { sessionId: job.session_id, intentId: id, cause }))
  if (owed) await giveBack(deps, owed.id, undefined)
  else await settlePayment(deps, id, undefined)
  const kept = job.payload['keptIntentId']
  if (typeof kept === 'string') await startSubscription(deps, kept, undefined)
}

/**
 * Ends what a second charge started: the monthly product's subscription, which its own invoice paid, has a row; that of
 * a charge whose visit was lost (payments/without-visit.ts) is known to Stripe alone.
 */
async function endSubscriptionOf(deps: Deps, intentId: string): Promise<void> {
  const { db, stripe } = deps
  const row = await findBySource(db, intentId)
  if (!row) return endUnknown(deps, intentId)
  if (!row.stripe_subscription_id || isOver(row.status)) return
  const now = await stripe.readSubscription(row.stripe_subscription_id, undefined)
  const ended = isOver(now.status) ? now : await stripe.cancelSubscription(now.id, undefined)
  await linkSubscription(db, row.id, ended, null)
}

async function endUnknown(deps: Deps, intentId: string): Promise<void> {
  const { db, stripe } = deps
  const charge = await db
    .selectFrom('charges_without_visit')
    .select(['stripe_customer_id', 'stripe_subscription_id'])
    .where('payment_intent_id', '=', intentId)
    .executeTakeFirst()
  if (!charge?.stripe_customer_id) return
  const all = await stripe.listSubscriptions(charge.stripe_customer_id, undefined).catch((error: unknown) => {
    // a deleted customer's subscriptions are over
    if (isFailure(error, 'missing', 'refused')) return []
    throw error
  })
  for (const { id, status, metadata } of all) {
    const its = id === charge.stripe_subscription_id || metadata['source'] === intentId
    if (its && !isOver(status)) await stripe.cancelSubscription(id, undefined)
  }
}

import type { Deps } from '../deps.ts'
import { isErased } from '../erasures/erased.queries.ts'
import type { Deadline } from '../http/deadline.ts'
import { isOwnCharge } from '../payments/installation.ts'
import { settlePayment } from '../payments/settle.ts'
import type { Database } from '../../db/connect.ts'
import { findByIntent } from '../payments/intents.queries.ts'
import {
  claimSubscription,
  findBySource,
  linkSubscription,
  type SubscriptionRow,
} from '../payments/subscriptions.queries.ts'
import { isReturned } from '../payments/without-visit.queries.ts'
import { takeIn } from '../payments/without-visit.ts'
import { lockSession } from '../sessions/lock.ts'
import type { Intent, Subscription } from '../stripe/objects.ts'

/**
 * P-05: whether the charge that started a subscription has the row of its order. The monthly one may have none: its
 * order was cut off, or a backup from within it restored.
 */
export async function hasFirstCharge(db: Database, row: SubscriptionRow): Promise<boolean> {
  return row.product_id !== 'monthly' || (await findByIntent(db, row.source_payment_id ?? '')) !== undefined
}

/**
 * P-10: settles the charge that started a subscription of this installation which has no row here, or whose charge has
 * none, because a backup was restored. Returns whether both have one now. The monthly product's charge is its first
 * invoice's, whose intent has no metadata: the subscription's name the visit. Throws StripeFailure.
 */
export async function takeInFirstCharge(
  deps: Deps,
  subscription: Subscription,
  by: Deadline | undefined,
): Promise<boolean> {
  const { session_id: sessionId, source = '', purpose = 'first', product_id: productId = '' } = subscription.metadata
  if (!sessionId || !isOwnCharge(deps.config, subscription.metadata)) return false
  if (/^(pi|seti)_/.test(source)) {
    await settlePayment(deps, source, by)
    return (await findBySource(deps.db, source))?.stripe_subscription_id === subscription.id
  }
  const intent = await firstCharge(deps, subscription.id, by)
  if (intent?.status !== 'succeeded') return false
  // of two first payments it is the one that goes back, and its subscription ends with that
  if (await isDuplicate(deps, intent.id)) return false
  await takeIn(deps, intent, { sessionId, purpose, productId, subscriptionId: subscription.id }, by)
  const closed = (await isReturned(deps.db, intent.id)) || (await isErased(deps.db, sessionId))
  if (!closed) await claim(deps, sessionId, intent, subscription)
  await settlePayment(deps, intent.id, by)
  return (await findBySource(deps.db, intent.id))?.stripe_subscription_id === subscription.id
}

async function firstCharge({ stripe }: Deps, subscriptionId: string, by: Deadline | undefined) {
  const first = (await stripe.listInvoices(subscriptionId, by)).at(-1)
  const paid = first && (await stripe.listInvoicePayments(first.id, by)).find((one) => one.paid)
  return paid && stripe.readIntent(paid.intentId, by)
}

async function isDuplicate({ db }: Deps, intentId: string): Promise<boolean> {
  const found = await db
    .selectFrom('payments')
    .select('id')
    .where('payment_intent_id', '=', intentId)
    .where('is_duplicate', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * The row of the subscription, unless the session has another one: then its charge is a duplicate. In one step: a claim
 * without its subscription would be taken for one that is still to be created.
 */
async function claim({ db }: Deps, sessionId: string, intent: Intent, subscription: Subscription): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, sessionId)
    // until its charge was known, the order's row was its source
    const begun = await findBySource(tx, subscription.metadata['source'] ?? '')
    const made = await claimSubscription(tx, {
      sessionId,
      productId: 'monthly',
      sourceId: begun?.source_payment_id ?? intent.id,
      customerId: subscription.customerId,
      paymentMethodId: intent.paymentMethodId,
      ...(subscription.amount === null ? {} : { agreed: subscription.amount }),
    })
    if (made) await linkSubscription(tx, made.row.id, subscription, intent.id)
  })
}

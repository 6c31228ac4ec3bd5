import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { product, requireProductId, resolveProductId, TRIAL_DAYS } from '../../contract/catalogue.ts'
import type { Cents } from '../../contract/money.ts'
import { collectedAt } from '../../contract/terms.ts'
import type { Deps } from '../deps.ts'
import { chargeMetadata } from '../payments/installation.ts'
import { withdrawMonthly } from '../payments/monthly.ts'
import { startsSubscription } from '../payments/purpose.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { enqueueAll, type OutboxEntry } from '../jobs/outbox.queries.ts'
import { isErased } from '../erasures/erased.queries.ts'
import { lockSession } from '../sessions/lock.ts'
import { isFailure } from '../stripe/failure.ts'
import type { NewSubscription } from '../stripe/gateway.subscriptions.ts'
import type { Subscription } from '../stripe/objects.ts'
import { begun } from './begun.ts'
import { priceChanged } from './price-change.ts'
import { promisedEnd } from './promise.ts'
import { syncSubscription } from './sync.ts'
import { cancellationConfirmed, reminder } from './told.ts'
import {
  claimSubscription,
  findBySource,
  isLeaving,
  linkSubscription,
  openSubscription,
  subscriptionKey,
  type SubscriptionRow,
} from '../payments/subscriptions.queries.ts'

/**
 * P-04, P-05, P-06: starts the subscription of a settled first payment: finds its claim, looks it up at Stripe before
 * any retry, and creates it with a key derived from the claim. Returns its Stripe id, null when this payment starts
 * none (an add-on, a duplicate). Throws StripeFailure, or no_payment_method.
 */
export async function startSubscription(
  deps: Deps,
  sourceId: string,
  by: Deadline | undefined,
): Promise<string | null> {
  const claim = (await findBySource(deps.db, sourceId)) ?? (await takePlace(deps, sourceId, by))
  if (!claim) return null
  if (claim.stripe_subscription_id) {
    // the monthly product: its first invoice was paid just now
    if (claim.status === 'incomplete') await syncSubscription(deps, claim.stripe_subscription_id, by)
    return claim.stripe_subscription_id
  }
  if (claim.status !== 'creating') return null
  return deps.flights.run(`subscription:${sourceId}`, () => create(deps, sourceId, by))
}

/**
 * P-14: one live subscription per session. When a first payment settles, an unpaid monthly subscription from another
 * tab may still hold the place: it is ended, so that it cannot be paid any more, and the place is claimed.
 */
async function takePlace(deps: Deps, sourceId: string, by: Deadline | undefined): Promise<SubscriptionRow | undefined> {
  const { db } = deps
  const payment = await db
    .selectFrom('payments')
    .select(['session_id', 'product_id', 'stripe_customer_id', 'payment_method_id', 'refunded_cents', 'settled_at'])
    .where('payment_intent_id', '=', sourceId)
    .where('purpose', '=', 'first')
    .where('is_duplicate', '=', false)
    .where('settled_at', 'is not', null)
    .executeTakeFirst()
  if (!payment || payment.refunded_cents > 0) return undefined
  const bought = resolveProductId(payment.product_id)
  if (!bought || !startsSubscription(product(bought).kind)) return undefined
  if (await isErased(db, payment.session_id)) return undefined
  const held = await openSubscription(db, payment.session_id)
  // paid meanwhile: it is a duplicate, and ends with its refund
  if (held && held.status !== 'incomplete') return undefined
  if (held) await withdrawMonthly(deps, payment.session_id, by)
  const claim = await claimSubscription(db, {
    sessionId: payment.session_id,
    productId: 'monthly',
    sourceId,
    customerId: payment.stripe_customer_id ?? '',
    paymentMethodId: payment.payment_method_id,
    ...(payment.settled_at ? { paidAt: payment.settled_at } : {}),
  })
  return claim?.row
}

async function create(deps: Deps, sourceId: string, by: Deadline | undefined): Promise<string | null> {
  const { db, stripe } = deps
  const found = await db
    .selectFrom('subscriptions as s')
    .selectAll('s')
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('payments as p')
          .select(['p.product_id', 'p.settled_at', 'p.payment_method', 'p.payment_method_id', 'p.status'])
          .where('p.payment_intent_id', '=', sourceId)
          .where('p.is_duplicate', '=', false),
      ).as('payment'),
    )
    .where('s.source_payment_id', '=', sourceId)
    .executeTakeFirst()
  if (found?.status !== 'creating') return found?.stripe_subscription_id ?? null
  const { payment, ...row } = found
  // refunded before it began: there is nothing to renew, and the claim is closed by its own job
  if (!payment?.settled_at || payment.status === 'refunded') return null
  const productId = requireProductId(payment.product_id)
  // the monthly product was paid by its own subscription, which its events link
  if (!startsSubscription(product(productId).kind)) return null
  if (!payment.payment_method_id || !row.stripe_customer_id) throw new AppError('no_payment_method')

  try {
    // an earlier call, perhaps in another process, may have created it: ask Stripe
    const [earlier, price] = await Promise.all([
      stripe.listSubscriptions(row.stripe_customer_id, by),
      priceFor(deps, row.agreed_cents, by),
    ])
    const found = earlier.find(({ metadata }) => metadata['source'] === sourceId)
    const paidUntil = await promisedEnd(db, { intentId: sourceId, productId, paidAt: new Date(payment.settled_at) })
    const wanted: NewSubscription = {
      customerId: row.stripe_customer_id,
      price,
      method: payment.payment_method === 'paypal' ? 'paypal' : 'card',
      description: product('monthly').name,
      metadata: chargeMetadata(deps.config, {
        sessionId: row.session_id,
        productId: payment.product_id,
        purpose: 'first',
        source: sourceId,
      }),
      cancelled: row.cancel_requested_at !== null,
      start: { paymentMethodId: payment.payment_method_id, ...startOf(paidUntil, row.error) },
    }
    const subscription = found ?? (await stripe.createSubscription(wanted, subscriptionKey(sourceId, row.version), by))
    await link(deps, row, subscription)
    return subscription.id
  } catch (error) {
    if (isFailure(error)) {
      const why = error.param === 'trial_end' ? PROMISE_OVER : (error.code ?? error.kind)
      await noteFailure(deps, row, error.answered, why)
    }
    throw error
  }
}

/** The listed price, where the order was agreed to at it; after the list changed, the amount that was agreed (H-01). */
async function priceFor({ prices }: Deps, agreed: Cents | null, by: Deadline | undefined): Promise<string | Cents> {
  if (agreed !== null && agreed !== product('monthly').price) return agreed
  return (await prices.priceOf('monthly', by)).id
}

/** The error kept with a claim when the promised end has passed by Stripe's clock. */
const PROMISE_OVER = 'promise_over'

/**
 * P-04, O-03: the paid time ends when the buyer was told it would, even if the subscription is created late. After an
 * outage longer than that time the buyer gets a fresh trial instead of a charge for the past.
 */
function startOf(paidUntil: Date | undefined, error: string | null): { trialDays: number } | { trialEnd: Date } {
  if (!paidUntil || paidUntil.getTime() <= Date.now() || error === PROMISE_OVER) return { trialDays: TRIAL_DAYS }
  return { trialEnd: paidUntil }
}

async function link({ db, wake }: Deps, row: SubscriptionRow, subscription: Subscription): Promise<void> {
  const leaving = isLeaving(subscription)
  const { trialEnd, amount } = subscription
  const next = trialEnd && !leaving && amount !== null ? { amount, price: amount, at: collectedAt(trialEnd) } : null
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, row.session_id)
    // an event may have been faster: then its look at Stripe counts, with its mails
    const isFirst = await linkSubscription(tx, row.id, subscription, null, { next })
    const held =
      isFirst || (await findBySource(tx, row.source_payment_id ?? ''))?.stripe_subscription_id === subscription.id
    if (!held) return
    await tx
      .updateTable('sessions')
      .set({ stripe_subscription_id: subscription.id })
      .where('id', '=', row.session_id)
      .execute()
    await applyGrants(tx, row.session_id)
    const told: OutboxEntry[] = isFirst ? await priceChanged(tx, row, { subscription, next }) : []
    if (isFirst && next) told.push(...(await reminder(tx, row.session_id, subscription, next)))
    if (isFirst && leaving) told.push(cancellationConfirmed(row, subscription))
    told.push(await begun(tx, row, subscription))
    await enqueueAll(tx, told)
  })
  wake('outbox')
}

/** An answered try gets a new key, because Stripe would replay its answer; an unanswered one keeps its key. */
async function noteFailure({ db }: Deps, row: SubscriptionRow, answered: boolean, why: string): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ error: why, ...(answered ? { version: row.version + 1 } : {}) })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .execute()
}

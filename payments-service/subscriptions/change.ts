import { randomUUID } from 'node:crypto'
import type { SavedCard } from '../../contract/api/subscription.ts'
import type { CardSetup } from '../../contract/members.ts'
import type { Deps } from '../deps.ts'
import { CARD_CHANGE } from '../erasures/erased.queries.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import { reread } from './cancel.ts'
import { payDebt, type Settled, stripeIdOf } from './debt.ts'
import { refuseCardTesting } from '../payments/declines.ts'
import { holdAddress } from '../payments/one-an-address.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { isBeingGivenBack } from './granted.ts'
import { endWithPeriod } from './steps.ts'
import { syncSubscription } from './sync.ts'
import { isEnding, stateOf } from './state.ts'

/**
 * Takes a cancellation back while the paid time lasts. Throws subscription_over after it, and once it was withdrawn
 * from or the money is being given back, already_subscribed when its owner has ordered again since (P-14),
 * StripeFailure where Stripe cannot say whether it was done.
 */
export async function keepSubscription(
  deps: Deps,
  row: SubscriptionRow,
  by: Deadline | undefined,
): Promise<SubscriptionRow> {
  const state = stateOf(row)
  if (state === 'ended' || (await isBeingGivenBack(deps.db, row.session_id))) throw new AppError('subscription_over')
  if (!isEnding(row)) return row
  const id = stripeIdOf(row)
  if (!(await holdsAddress(deps, row))) throw new AppError('already_subscribed')
  const failure = await endWithPeriod(deps, id, false, row.cancel_requested_at, by).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure && !isFailure(failure)) throw failure
  await syncSubscription(deps, id, by)
  const after = failure ? await reread(deps, row.id) : null
  const over = after && stateOf(after) === 'ended'
  if (isFailure(failure, 'missing') || over) throw new AppError('subscription_over', { cause: failure })
  // where the answer was lost, it may have been carried out
  if (after && isEnding(after)) throw failure
  // ordered again in between: the new one stays, and this one still runs out
  if (!(await holdsAddress(deps, row))) {
    await endWithPeriod(deps, id, true, new Date(), by)
    await syncSubscription(deps, id, by)
    throw new AppError('already_subscribed')
  }
  return reread(deps, row.id)
}

async function holdsAddress({ db }: Deps, row: SubscriptionRow): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { email } = await tx
      .selectFrom('sessions')
      .select('email')
      .where('id', '=', row.session_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    return email === null || holdAddress(tx, row.session_id, email)
  })
}

/**
 * Creates a set-up for another card of the subscription's customer; it charges nothing. Throws subscription_over,
 * too_many_requests after too many declined cards.
 */
export async function setUpCard(deps: Deps, row: SubscriptionRow, by: Deadline): Promise<CardSetup> {
  if (stateOf(row) === 'ended' || !row.stripe_customer_id) throw new AppError('subscription_over')
  await refuseCardTesting(deps, row.session_id, null)
  const intent = await deps.stripe.createSetup(
    {
      customerId: row.stripe_customer_id,
      method: 'card',
      description: 'Another card for the subscription',
      metadata: { session_id: row.session_id, subscription: row.id, use: CARD_CHANGE },
    },
    // a second set-up charges nothing, while a replayed one might be used up
    `card:${row.id}:${randomUUID()}`,
    by,
  )
  return { clientSecret: intent.clientSecret, setupIntentId: intent.id }
}

/**
 * A-05, dunning: charges the card of a finished set-up from now on, and pays what is owed with it while the buyer is on
 * the page, unless the page said another amount, or that saving a card charges nothing (H-01). Throws
 * payment_not_found for a set-up of something else, not_eligible for an unfinished one, StripeFailure where Stripe
 * cannot say whether the debt was paid.
 */
export async function saveCard(
  deps: Deps,
  row: SubscriptionRow,
  { setupIntentId, owed: shown }: SavedCard,
  by: Deadline,
): Promise<Settled> {
  const { stripe } = deps
  if (stateOf(row) === 'ended') throw new AppError('subscription_over')
  const setup = await stripe.readSetup(setupIntentId, by).catch((error: unknown) => {
    if (isFailure(error, 'missing')) throw new AppError('payment_not_found', { field: 'setupIntentId' })
    throw error
  })
  if (setup.metadata['subscription'] !== row.id || setup.customerId !== row.stripe_customer_id) {
    throw new AppError('payment_not_found', { field: 'setupIntentId' })
  }
  if (setup.status !== 'succeeded' || !setup.paymentMethodId) throw new AppError('not_eligible')
  const id = stripeIdOf(row)
  const paymentMethodId = setup.paymentMethodId
  await stripe.useCard({ subscriptionId: id, customerId: row.stripe_customer_id ?? '', paymentMethodId }, by)

  return payDebt(deps, row, { method: { id: paymentMethodId, type: 'card' }, shown }, by)
}

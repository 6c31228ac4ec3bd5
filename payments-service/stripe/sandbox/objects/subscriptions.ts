// Subscriptions: create, change, cancel.
import { type Stripe } from '../stripe-types.ts'
import { route, type Call } from '../http/router.ts'
import { page, pageOf, type Paging } from '../http/lists.ts'
import { invalid, missing, StripeFail } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { draftInvoice } from './invoice-build.ts'
import { waitingItems } from './invoice-items.ts'
import { collect, endSubscription, finalizeInvoice, updateSubscription } from './invoices.ts'
import { metadata } from './metadata.ts'
import { lastError, refusal } from './payments.ts'
import { createSetupIntent } from './setup-intents.ts'
import {
  cadence,
  extraLines,
  periodLines,
  putSubscription,
  recurringPrice,
  subscriptionItem,
} from './subscription-build.ts'
import { endTrial } from './renewals.ts'
import { nextBoundary } from './periods.ts'

function ownMethod(tx: Tx, id: string | undefined, customer: string): void {
  if (!id) return
  const method = tx.get('payment_method', id)
  if (!method) throw missing('payment_method', id, 'default_payment_method')
  if (idOf(method.customer) !== customer) {
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      {
        code: 'resource_missing',
        param: 'default_payment_method',
      },
    )
  }
}

/** Bills what a new subscription owes at once; a trial gets its invoice over nothing. */
function firstInvoice(
  call: Call,
  params: Stripe.SubscriptionCreateParams,
  subscription: Stripe.Subscription,
  share: number,
): void {
  const { tx } = call
  const customer = tx.need('customer', idOf(subscription.customer) ?? '')
  const now = tx.now(customer.id)
  const waiting = waitingItems(tx, customer.id)
  const draft = draftInvoice(tx, {
    customer,
    reason: 'subscription_create',
    currency: subscription.currency,
    lines: [
      ...periodLines(tx, subscription, share),
      ...extraLines(tx, params.add_invoice_items, subscription.id, now),
      ...waiting.map((item) => ({
        amount: item.amount,
        currency: item.currency,
        description: item.description,
        period: item.period,
        invoiceItem: item.id,
      })),
    ],
    period: { start: now, end: now },
    subscription,
    autoAdvance: true,
    finalizesAt: null,
  })
  for (const item of waiting) {
    tx.change(item, { invoice: draft.id })
    tx.hide(item.id, { pending: false })
  }
  const owes = draft.amount_due > 0 && subscription.collection_method !== 'send_invoice'
  const made = tx.change(subscription, {
    latest_invoice: draft.id,
    ...(owes || subscription.status === 'trialing' ? {} : { status: 'active' as const }),
  })
  // Stripe reports the birth first, as incomplete, and what the payment did to it after that.
  tx.emit('customer.subscription.created', made)
  const invoice = finalizeInvoice(tx, draft)
  if (invoice.status === 'paid' || !owes) return
  const behaviour = params.payment_behavior ?? 'allow_incomplete'
  if (behaviour === 'default_incomplete') return
  const outcome = collect(tx, invoice, { offSession: params.off_session ?? false, origin: call.origin })
  if (behaviour !== 'error_if_incomplete') return
  // Nothing of this stays: the reply is an error and the transaction is dropped.
  if (outcome?.decline) {
    const { payment_method: _, ...rest } = lastError(outcome.decline, outcome.method)
    throw new StripeFail(402, { ...(rest as { type: 'card_error'; message: string }) })
  }
  if (!outcome || outcome.intent.status !== 'succeeded') {
    throw new StripeFail(402, {
      type: 'card_error',
      code: 'subscription_payment_intent_requires_action',
      message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
    })
  }
}

route<Stripe.SubscriptionCreateParams>('POST', '/v1/subscriptions', 'SubscriptionCreateParams', (call, params) => {
  const { tx } = call
  if (params.customer === undefined)
    throw invalid('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  const customer = tx.need('customer', params.customer, 'customer')
  ownMethod(tx, params.default_payment_method, customer.id)
  const { subscription, timing } = putSubscription(tx, params, customer)
  const method = params.default_payment_method ?? idOf(customer.invoice_settings.default_payment_method)
  const owesNow = timing.share > 0 || (params.add_invoice_items?.length ?? 0) > 0
  const behaviour = params.payment_behavior ?? 'allow_incomplete'
  if (owesNow && method === null && behaviour !== 'default_incomplete' && params.collection_method !== 'send_invoice') {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
      { code: 'resource_missing' },
    )
  }
  if (customer.currency === null) tx.change(customer, { currency: subscription.currency })
  let planned = subscription
  if (planned.status === 'trialing' && method === null) {
    const setup = createSetupIntent(tx, { customer: customer.id, usage: 'off_session' })
    planned = tx.change(planned, { pending_setup_intent: setup.id })
  }
  firstInvoice(call, params, planned, timing.share)
  const made = tx.need('subscription', subscription.id)
  if (timing.trialEnd !== null && timing.trialEnd - tx.now(customer.id) <= 3 * 86_400) {
    tx.hide(made.id, { notified: `trial_will_end ${timing.trialEnd}` })
    tx.emit('customer.subscription.trial_will_end', made)
  }
  return made
})

route('GET', '/v1/subscriptions/:id', fields({}), ({ tx, path }) => tx.need('subscription', path['id'] ?? ''))

function changedItems(
  tx: Tx,
  old: Stripe.Subscription,
  items: NonNullable<Stripe.SubscriptionUpdateParams['items']>,
): Stripe.SubscriptionItem[] {
  let data = [...old.items.data]
  for (const [index, change] of items.entries()) {
    const known = data.find((item) => item.id === change.id)
    if (change.id !== undefined && !known) throw missing('subscription_item', change.id, `items[${index}][id]`)
    if (known && change.deleted) {
      data = data.filter((item) => item !== known)
      continue
    }
    const first = old.items.data[0]
    const base = known ?? first
    if (!base) continue
    const price = recurringPrice(tx, change.price ?? known?.price.id, `items[${index}][price]`)
    const fresh = subscriptionItem(old.id, price, {
      created: base.created,
      start: base.current_period_start,
      end: base.current_period_end,
      quantity: change.quantity ?? known?.quantity ?? 1,
    })
    data = known ? data.map((item) => (item === known ? { ...fresh, id: known.id } : item)) : [...data, fresh]
  }
  return data
}

route<Stripe.SubscriptionUpdateParams>('POST', '/v1/subscriptions/:id', 'SubscriptionUpdateParams', (call, params) => {
  const { tx } = call
  const old = tx.need('subscription', call.path['id'] ?? '')
  const customer = idOf(old.customer) ?? ''
  const now = tx.now(customer)
  if (
    old.status === 'canceled' &&
    Object.keys(params).some((name) => !['metadata', 'cancellation_details', 'expand'].includes(name))
  ) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  }
  ownMethod(tx, params.default_payment_method, customer)
  const patch: Partial<Stripe.Subscription> = { metadata: metadata(old.metadata, params.metadata) }
  if (params.default_payment_method) patch.default_payment_method = params.default_payment_method
  if (params.description !== undefined) patch.description = params.description || null
  if (params.collection_method) patch.collection_method = params.collection_method
  if (params.pause_collection !== undefined) {
    patch.pause_collection = params.pause_collection
      ? { behavior: params.pause_collection.behavior, resumes_at: params.pause_collection.resumes_at ?? null }
      : null
  }
  if (params.payment_settings)
    patch.payment_settings = {
      ...old.payment_settings,
      ...(params.payment_settings as Partial<Stripe.Subscription.PaymentSettings>),
    } as Stripe.Subscription.PaymentSettings
  if (params.trial_settings) {
    patch.trial_settings = {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: params.trial_settings.end_behavior.missing_payment_method,
      },
    } as Stripe.Subscription.TrialSettings
  }
  if (params.items) patch.items = { ...old.items, data: changedItems(tx, old, params.items) }
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined) {
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', {
      code: 'parameters_exclusive',
      param: 'cancel_at',
    })
  }
  const stop =
    params.cancel_at_period_end === true
      ? (old.items.data[0]?.current_period_end ?? now)
      : typeof params.cancel_at === 'number'
        ? params.cancel_at
        : undefined
  if (stop !== undefined) {
    patch.cancel_at = stop
    patch.cancel_at_period_end = params.cancel_at_period_end === true
    patch.canceled_at = now
  } else if (params.cancel_at_period_end === false || params.cancel_at === null || params.cancel_at === '') {
    Object.assign(patch, { cancel_at: null, cancel_at_period_end: false, canceled_at: null })
  }
  if (stop !== undefined || params.cancellation_details || patch.cancel_at === null) {
    const { comment, feedback } = params.cancellation_details ?? {}
    patch.cancellation_details = {
      ...(old.cancellation_details as Stripe.Subscription.CancellationDetails),
      ...(comment === undefined ? {} : { comment: comment || null }),
      ...(feedback === undefined ? {} : { feedback: feedback || null }),
      reason:
        stop !== undefined
          ? 'cancellation_requested'
          : patch.cancel_at === null
            ? null
            : (old.cancellation_details?.reason ?? null),
    } as Stripe.Subscription.CancellationDetails
  }
  if (typeof params.trial_end === 'number') {
    if (params.trial_end <= now)
      throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
    const end = params.trial_end
    Object.assign(patch, {
      trial_end: end,
      trial_start: old.trial_start ?? now,
      status: 'trialing',
      billing_cycle_anchor: end,
      items: {
        ...(patch.items ?? old.items),
        data: (patch.items ?? old.items).data.map((item) => ({ ...item, current_period_end: end })),
      },
    })
  }
  if (params.billing_cycle_anchor?.type === 'now') {
    const end = nextBoundary(now, cadence(old), now)
    Object.assign(patch, {
      billing_cycle_anchor: now,
      items: {
        ...(patch.items ?? old.items),
        data: (patch.items ?? old.items).data.map((item) => ({
          ...item,
          current_period_start: now,
          current_period_end: end,
        })),
      },
    })
  }
  updateSubscription(tx, old, patch)
  if (params.trial_end === 'now' && old.status === 'trialing') {
    const invoice = endTrial(tx, tx.need('subscription', old.id), { immediately: true })
    if (invoice) {
      const open = finalizeInvoice(tx, invoice)
      const outcome =
        open.status === 'open'
          ? collect(tx, open, { offSession: params.off_session ?? false, origin: call.origin })
          : undefined
      if (outcome?.decline && params.payment_behavior === 'error_if_incomplete') throw refusal(outcome)
    }
  }
  return tx.need('subscription', old.id)
})

route<Stripe.SubscriptionCancelParams>(
  'DELETE',
  '/v1/subscriptions/:id',
  'SubscriptionCancelParams',
  ({ tx, path }, params) => {
    const old = tx.need('subscription', path['id'] ?? '')
    if (old.status === 'canceled') throw missing('subscription', old.id)
    return endSubscription(tx, old, 'cancellation_requested', {
      ...(params.cancellation_details?.comment ? { comment: params.cancellation_details.comment } : {}),
      ...(params.cancellation_details?.feedback ? { feedback: params.cancellation_details.feedback } : {}),
    })
  },
)
route(
  'POST',
  '/v1/subscriptions/:id/resume',
  fields({ billing_cycle_anchor: 'string', proration_behavior: 'string' }),
  ({ tx, path }) => {
    const old = tx.need('subscription', path['id'] ?? '')
    if (old.status !== 'paused') throw invalid('Only paused subscriptions can be resumed.')
    const subscription = tx.change(old, { status: 'active' })
    tx.emit('customer.subscription.resumed', subscription)
    return subscription
  },
)

type SubscriptionList = Paging & {
  customer?: string
  price?: string
  status?: string
  test_clock?: string
  collection_method?: string
}
route<SubscriptionList>(
  'GET',
  '/v1/subscriptions',
  listing({ customer: 'string', price: 'string', status: 'string', test_clock: 'string', collection_method: 'string' }),
  ({ tx }, params) =>
    page(tx, 'subscription', params, '/v1/subscriptions', (one) => {
      const wanted =
        params.status === 'all' ||
        (params.status === undefined
          ? one.status !== 'canceled' && one.status !== 'incomplete_expired'
          : params.status === 'ended'
            ? ['canceled', 'incomplete_expired'].includes(one.status)
            : one.status === params.status)
      return (
        wanted &&
        (params.customer === undefined || idOf(one.customer) === params.customer) &&
        (params.price === undefined || one.items.data.some((item) => item.price.id === params.price)) &&
        (params.test_clock === undefined || idOf(one.test_clock) === params.test_clock)
      )
    }),
)
route<Paging & { subscription: string }>(
  'GET',
  '/v1/subscription_items',
  listing({ subscription: 'string' }),
  ({ tx }, params) =>
    pageOf(
      tx.need('subscription', params.subscription, 'subscription').items.data,
      'subscription_item',
      params,
      '/v1/subscription_items',
    ),
)
route('GET', '/v1/subscription_items/:id', fields({}), ({ tx, path }) => {
  for (const subscription of tx.all('subscription')) {
    const found = subscription.items.data.find((item) => item.id === path['id'])
    if (found) return found
  }
  throw missing('subscription_item', path['id'] ?? '')
})

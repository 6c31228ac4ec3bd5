// Subscriptions: create, change, cancel.
import { type Stripe } from '../stripe-types.ts'
import { route, type Call } from '../http/router.ts'
import { page, pageOf, type Paging } from '../http/lists.ts'
import { invalid, missing, StripeFail } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { idOf } from '../types.ts'
import { draftInvoice } from './invoice-build.ts'
import { waitingItems } from './invoice-items.ts'
import { collect, endSubscription, finalizeInvoice } from './invoices.ts'
import { lastError } from './payments.ts'
import { createSetupIntent } from './setup-intents.ts'
import { extraLines, periodLines, putSubscription } from './subscription-build.ts'
import { ownMethod } from './subscription-update.ts'

/** Bills what a new subscription owes at once; a trial gets an invoice of zero. */
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
  // Stripe reports the creation first, as incomplete, and then what the payment changed.
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
      'This customer has no attached payment source or default payment method. Please consider adding a ' +
        'default payment method. For more information, visit ' +
        'https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
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

// Changing a subscription.
import { type Stripe } from '../stripe-types.ts'
import { type Call, route } from '../http/router.ts'
import { invalid, missing } from '../http/errors.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { collect, finalizeInvoice, updateSubscription } from './invoices.ts'
import { metadata } from './metadata.ts'
import { refusal } from './payments.ts'
import { cadence, inlinePrice, type Recurring, recurringPrice, subscriptionItem } from './subscription-build.ts'
import { billAnew, endTrial } from './renewals.ts'
import { nextBoundary } from './periods.ts'
import { type LineInput } from './invoice-build.ts'

/** Throws unless the method is saved to the customer. */
export function ownMethod(tx: Tx, id: string | undefined, customer: string): void {
  if (!id) return
  const method = tx.get('payment_method', id)
  if (!method) throw missing('payment_method', id, 'default_payment_method')
  if (idOf(method.customer) !== customer) {
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to ` +
        `the customer.`,
      {
        code: 'resource_missing',
        param: 'default_payment_method',
      },
    )
  }
}

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
    const price = change.price_data
      ? inlinePrice(tx, change.price_data)
      : known && change.price === undefined
        ? (known.price as Recurring)
        : recurringPrice(tx, change.price, `items[${index}][price]`)
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

type Params = Stripe.SubscriptionUpdateParams
type Patch = Partial<Stripe.Subscription>

/** Throws when a cancelled subscription is to change in more than its reason and its metadata. */
function refuseAfterEnd(old: Stripe.Subscription, params: Params): void {
  if (
    old.status === 'canceled' &&
    Object.keys(params).some((name) => !['metadata', 'cancellation_details', 'expand'].includes(name))
  ) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  }
}

/** The fields that are taken over as they are given. */
function plainFields(tx: Tx, old: Stripe.Subscription, params: Params): Patch {
  const patch: Patch = { metadata: metadata(old.metadata, params.metadata) }
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
  return patch
}

/**
 * Throws when the end of a subscription is to change that a schedule manages. Stripe's words, as
 * github.com/dust-tt/dust/pull/32051 quotes them.
 */
function refuseScheduled({ schedule }: Stripe.Subscription, params: Params): void {
  if (!schedule || (params.cancel_at_period_end === undefined && params.cancel_at === undefined)) return
  throw invalid(
    `The subscription is managed by the subscription schedule \`${idOf(schedule) ?? ''}\`, and updating any ` +
      'cancelation behavior directly is not allowed. Please update the schedule instead.',
  )
}

/** Ending with the period or at a time, or no longer; and what is kept about the reason. */
function cancellation(old: Stripe.Subscription, params: Params, now: number): Patch {
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined) {
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', {
      code: 'parameters_exclusive',
      param: 'cancel_at',
    })
  }
  const patch: Patch = {}
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
  return patch
}

/** Whether periods are paid for: no trial, and not over. */
const isBilled = ({ status }: Stripe.Subscription): boolean => status === 'active' || status === 'past_due'

/**
 * Whether a period begins now: asked for, or by another interval. A trial goes on and is followed by the new interval
 * (docs.stripe.com/api/subscriptions/update, "Switching prices").
 */
function startsAnew(old: Stripe.Subscription, items: Stripe.Subscription['items'], params: Params): boolean {
  if (params.billing_cycle_anchor?.type === 'now') return true
  if (!params.items || !isBilled(old) || typeof params.trial_end === 'number') return false
  const [before, after] = [cadence(old), cadence({ ...old, items })]
  return before.interval !== after.interval || before.interval_count !== after.interval_count
}

/** A trial with another end, or billing that starts anew now; `items` are those after the other changes. */
function movedPeriod(
  old: Stripe.Subscription,
  items: Stripe.Subscription['items'],
  params: Params,
  now: number,
): Patch {
  const within = (period: Partial<Stripe.SubscriptionItem>): Stripe.Subscription['items'] => ({
    ...items,
    data: items.data.map((item) => ({ ...item, ...period })),
  })
  const trial: Patch = {}
  if (typeof params.trial_end === 'number') {
    const end = params.trial_end
    if (end <= now)
      throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
    Object.assign(trial, {
      trial_end: end,
      trial_start: old.trial_start ?? now,
      status: 'trialing',
      billing_cycle_anchor: end,
      items: within({ current_period_end: end }),
    })
  }
  if (!startsAnew(old, items, params)) return trial
  const end = nextBoundary(now, cadence({ ...old, items }), now)
  return {
    ...trial,
    billing_cycle_anchor: now,
    ...(old.cancel_at_period_end ? { cancel_at: end } : {}),
    items: within({ current_period_start: now, current_period_end: end }),
  }
}

/**
 * What is left of the paid period, but with `proration_behavior=none`. Stripe keeps a credit above the new price for
 * later invoices; this sandbox lets it go.
 */
function unusedTime(old: Stripe.Subscription, params: Params, now: number): LineInput[] {
  if (params.proration_behavior === 'none') return []
  return old.items.data.map((item) => {
    const { current_period_start: start, current_period_end: end, quantity = 1 } = item
    const left = (end - now) / (end - start)
    return {
      amount: -Math.round((item.price.unit_amount ?? 0) * quantity * left),
      currency: item.price.currency,
      description: 'Unused time',
      period: { start: now, end },
      price: item.price,
      quantity,
      subscription: old.id,
      subscriptionItem: item.id,
      proration: true,
    }
  })
}

/** An invoice of a change is finalized and collected at once, but while collection is paused. */
function collectNow(call: Call, invoice: Stripe.Invoice | undefined, params: Params): void {
  const { tx } = call
  if (invoice?.status !== 'draft' || invoice.auto_advance === false) return
  const open = finalizeInvoice(tx, invoice)
  if (open.status !== 'open') return
  const outcome = collect(tx, open, { offSession: params.off_session ?? false, origin: call.origin })
  if (outcome?.decline && params.payment_behavior === 'error_if_incomplete') throw refusal(outcome)
}

route<Params>('POST', '/v1/subscriptions/:id', 'SubscriptionUpdateParams', (call, params) => {
  const { tx } = call
  const old = tx.need('subscription', call.path['id'] ?? '')
  const customer = idOf(old.customer) ?? ''
  const now = tx.now(customer)
  refuseAfterEnd(old, params)
  refuseScheduled(old, params)
  ownMethod(tx, params.default_payment_method, customer)
  const patch = { ...plainFields(tx, old, params), ...cancellation(old, params, now) }
  const items = patch.items ?? old.items
  const changed = updateSubscription(tx, old, { ...patch, ...movedPeriod(old, items, params, now) })
  if (isBilled(old) && startsAnew(old, items, params))
    collectNow(call, billAnew(tx, changed, unusedTime(old, params, now)), params)
  // `trial_end=now`: the trial's invoice
  else if (params.trial_end === 'now' && old.status === 'trialing')
    collectNow(call, endTrial(tx, changed, { immediately: true }), params)
  return tx.need('subscription', old.id)
})

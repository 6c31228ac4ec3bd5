// Subscriptions: their shape, their items, their first invoice.
import { type Stripe } from '../stripe-types.ts'
import { invalid, missing } from '../http/errors.ts'
import { newId, letters } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata } from './metadata.ts'
import { createPrice } from './prices.ts'
import { nextBoundary, type Interval } from './periods.ts'
import { type LineInput } from './invoice-build.ts'
import { timing, type Timing } from './subscription-timing.ts'

type Create = Stripe.SubscriptionCreateParams
export type Recurring = Stripe.Price & { recurring: Stripe.Price.Recurring }

/** A recurring price, or Stripe's 400. */
export function recurringPrice(tx: Tx, id: string | undefined, param: string): Recurring {
  if (id === undefined) throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const price = tx.get('price', id)
  if (!price) throw missing('price', id, param)
  if (!price.active) throw invalid(`The price specified is inactive. This field only accepts active prices.`, { param })
  if (!price.recurring) {
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      { param },
    )
  }
  return price as Recurring
}

/** A price made for one item: Stripe stores it as inactive, so that nothing else can use it. */
export function inlinePrice(tx: Tx, data: Stripe.SubscriptionCreateParams.Item.PriceData): Recurring {
  return createPrice(tx, { ...data, active: false }) as Recurring
}

function plan(price: Recurring): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval as Stripe.Plan.Interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: idOf(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** An item as embedded in its subscription. */
export function subscriptionItem(
  subscription: string,
  price: Recurring,
  input: { created: number; start: number; end: number; quantity: number; metadata?: Record<string, string> },
): Stripe.SubscriptionItem {
  return {
    id: `si_${letters(14)}`,
    object: 'subscription_item',
    billing_thresholds: null,
    created: input.created,
    current_period_end: input.end,
    current_period_start: input.start,
    current_trial: null,
    discounts: [],
    metadata: input.metadata ?? {},
    plan: plan(price),
    price,
    quantity: input.quantity,
    subscription,
    tax_rates: [],
  } as unknown as Stripe.SubscriptionItem
}

/** How often a subscription bills (the same for all items). */
export function cadence(subscription: Stripe.Subscription): Interval {
  const recurring = subscription.items.data[0]?.price.recurring
  if (!recurring) throw new Error(`no recurring price on ${subscription.id}`)
  return { interval: recurring.interval, interval_count: recurring.interval_count }
}

/**
 * The period that begins at `start`; `share`: how much of its price is charged. An end that is set for a day within a
 * later period cuts that period short: "If set during a future period, this will always cause a proration for that
 * period" (docs.stripe.com/api/subscriptions/update, `cancel_at`). Unix seconds.
 */
export function periodFrom(
  subscription: Stripe.Subscription,
  start: number,
  anchor = subscription.billing_cycle_anchor,
): { end: number; share: number } {
  const whole = nextBoundary(anchor, cadence(subscription), start)
  const { cancel_at: stop } = subscription
  if (stop === null || stop <= start || stop >= whole) return { end: whole, share: 1 }
  return { end: stop, share: (stop - start) / (whole - start) }
}

/** The description of a renewal line, as Stripe writes it. */
export function lineWords(item: Stripe.SubscriptionItem, product: string): string {
  const { recurring, unit_amount } = item.price
  const every =
    recurring && recurring.interval_count > 1
      ? `every ${recurring.interval_count} ${recurring.interval}s`
      : recurring?.interval
  return `${item.quantity ?? 1} × ${product} (at $${((unit_amount ?? 0) / 100).toFixed(2)} / ${every ?? ''})`
}

/** The lines of one period of a subscription. `share` as in {@link Timing}. */
export function periodLines(tx: Tx, subscription: Stripe.Subscription, share: number): LineInput[] {
  return subscription.items.data.map((item) => {
    const quantity = item.quantity ?? 1
    const product = tx.get('product', idOf(item.price.product) ?? '')?.name ?? 'Subscription'
    return {
      amount: Math.round((item.price.unit_amount ?? 0) * quantity * share),
      currency: item.price.currency,
      description: subscription.status === 'trialing' ? `Trial period for ${product}` : lineWords(item, product),
      period: { start: item.current_period_start, end: item.current_period_end },
      price: item.price,
      quantity,
      subscription: subscription.id,
      subscriptionItem: item.id,
      metadata: subscription.metadata,
    }
  })
}

/** Lines of `add_invoice_items`: one-off amounts on the next invoice. */
export function extraLines(
  tx: Tx,
  params: Create['add_invoice_items'],
  subscription: string,
  now: number,
): LineInput[] {
  return (params ?? []).map((extra, index) => {
    const price = extra.price ? tx.need('price', extra.price, `add_invoice_items[${index}][price]`) : undefined
    const quantity = extra.quantity ?? 1
    const product = tx.get('product', idOf(price?.product ?? extra.price_data?.product ?? null) ?? '')
    return {
      amount: (price?.unit_amount ?? extra.price_data?.unit_amount ?? 0) * quantity,
      currency: price?.currency ?? extra.price_data?.currency ?? 'usd',
      description: product?.name ?? null,
      period: { start: now, end: now },
      ...(price ? { price } : {}),
      quantity,
      subscription,
      metadata: metadata({}, extra.metadata),
    }
  })
}

/** When and why the subscription ends, where it is created with its end. */
function endOf(params: Create, periodEnd: number, now: number) {
  const ends = params.cancel_at_period_end || params.cancel_at
  return {
    cancel_at: typeof params.cancel_at === 'number' ? params.cancel_at : params.cancel_at_period_end ? periodEnd : null,
    cancel_at_period_end: params.cancel_at_period_end ?? false,
    canceled_at: ends ? now : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: ends ? 'cancellation_requested' : null,
    },
  }
}

/** Stores a subscription with its items; no invoice, no event yet. */
export function putSubscription(
  tx: Tx,
  params: Create,
  customer: Stripe.Customer,
): { subscription: Stripe.Subscription; timing: Timing } {
  const now = tx.now(customer.id)
  const items = params.items ?? []
  if (items.length === 0) throw invalid('Missing required param: items.', { code: 'parameter_missing', param: 'items' })
  const prices = items.map((item, index) =>
    item.price_data
      ? inlinePrice(tx, item.price_data)
      : recurringPrice(tx, item.price ?? item.plan, `items[${index}][price]`),
  )
  const first = prices[0]
  if (!first) throw invalid('Missing required param: items.', { code: 'parameter_missing', param: 'items' })
  const when = timing(params, first.recurring, now)
  const id = newId('sub')
  const trialing = when.trialEnd !== null
  const subscription = tx.put<Stripe.Subscription>({
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: when.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: {
      flexible: { proration_discounts: 'included' },
      type: params.billing_mode?.type ?? 'flexible',
      updated_at: now,
    },
    billing_schedules: [],
    billing_thresholds: null,
    ...endOf(params, when.end, now),
    collection_method: params.collection_method ?? 'charge_automatically',
    created: now,
    currency: params.currency ?? first.currency,
    customer: customer.id,
    customer_account: null,
    days_until_due: params.days_until_due ?? null,
    default_payment_method: params.default_payment_method ?? null,
    default_source: null,
    default_tax_rates: [],
    description: params.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: items.map((item, index) =>
        subscriptionItem(id, prices[index] ?? first, {
          created: now,
          start: now,
          end: when.end,
          quantity: item.quantity ?? 1,
          metadata: metadata({}, item.metadata),
        }),
      ),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: metadata({}, params.metadata),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: params.payment_settings?.payment_method_types || null,
      save_default_payment_method: params.payment_settings?.save_default_payment_method ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialing ? 'trialing' : 'incomplete',
    test_clock: idOf(customer.test_clock ?? null),
    transfer_data: null,
    trial_end: when.trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
    },
    trial_start: trialing ? now : null,
  } as unknown as Stripe.Subscription)
  return { subscription, timing: when }
}

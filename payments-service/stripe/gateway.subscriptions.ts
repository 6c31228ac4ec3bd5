import type Stripe from 'stripe'
import { type Cents, CURRENCY } from '../../contract/money.ts'
import { RECURRING, stripeProductId } from './account.ts'
import { ask, isFailure } from './failure.ts'
import type { Subscription } from './objects.ts'
import { idOf, toSubscription } from './read-objects.ts'
import { type By, type Method, options, seconds } from './sdk.ts'

export interface NewSubscription {
  customerId: string
  /** A price of the account by its id, or the amount of a period, in cents, where none is listed at it. */
  price: string | Cents
  metadata: Record<string, string>
  description: string
  /** Cancelled before it was created: it ends with the paid time and never renews. */
  cancelled?: boolean
  /** Absent for the monthly product: the buyer confirms its first invoice. */
  start?: { paymentMethodId: string } & ({ trialDays: number } | { trialEnd: Date })
  method: Method
}

/** One period of the monthly product: https://docs.stripe.com/api/subscriptions/create (items.price_data). */
const itemAt = (price: string | Cents): Stripe.SubscriptionCreateParams.Item =>
  typeof price === 'string'
    ? { price }
    : {
        price_data: {
          product: stripeProductId('monthly'),
          currency: CURRENCY,
          unit_amount: price,
          recurring: RECURRING,
        },
      }

/**
 * A change that an operator planned in the dashboard puts a subscription under a schedule, and Stripe refuses another
 * end until that is released, by which nothing else changes: https://docs.stripe.com/api/subscription_schedules/release
 * False where there is none.
 */
async function releaseSchedule(sdk: Stripe, subscriptionId: string, by: By): Promise<boolean> {
  const { schedule } = await ask(() => sdk.subscriptions.retrieve(subscriptionId, {}, options(by)))
  const id = idOf(schedule)
  if (!id) return false
  try {
    await ask(() => sdk.subscriptionSchedules.release(id, {}, options(by)))
  } catch (error) {
    // released by another call meanwhile, or not at all: what it was released for tells
    if (!isFailure(error, 'refused', 'missing')) throw error
  }
  return true
}

/** Subscriptions, and the card that pays for them. */
export function subscriptionCalls(sdk: Stripe) {
  return {
    async createSubscription(input: NewSubscription, key: string, by: By): Promise<Subscription> {
      const { start } = input
      const params: Stripe.SubscriptionCreateParams = {
        customer: input.customerId,
        items: [itemAt(input.price)],
        metadata: input.metadata,
        description: input.description,
        payment_settings: {
          // a bill keeps those it was made with: one that PayPal refused can be paid by card, as the page offers
          payment_method_types: input.method === 'paypal' ? ['paypal', 'card'] : ['card'],
          save_default_payment_method: 'on_subscription',
        },
        expand: ['latest_invoice.confirmation_secret'],
        ...(start
          ? {
              default_payment_method: start.paymentMethodId,
              off_session: true,
              ...(input.cancelled ? { cancel_at_period_end: true } : {}),
              proration_behavior: 'none',
              trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
              ...('trialDays' in start
                ? { trial_period_days: start.trialDays }
                : { trial_end: seconds(start.trialEnd) }),
            }
          : { payment_behavior: 'default_incomplete' }),
      }
      return toSubscription(await ask(() => sdk.subscriptions.create(params, options(by, key))))
    },

    async readSubscription(id: string, by: By): Promise<Subscription> {
      const expand = { expand: ['latest_invoice.confirmation_secret'] }
      return toSubscription(await ask(() => sdk.subscriptions.retrieve(id, expand, options(by))))
    },

    /** Every subscription of a customer, ended ones too. */
    async listSubscriptions(customerId: string, by: By): Promise<Subscription[]> {
      const params = { customer: customerId, status: 'all' as const, limit: 100 }
      const { data } = await ask(() => sdk.subscriptions.list(params, options(by)))
      return data.map(toSubscription)
    },

    async cancelSubscription(id: string, by: By): Promise<Subscription> {
      return toSubscription(await ask(() => sdk.subscriptions.cancel(id, {}, options(by))))
    },

    /** Ends it with the paid period, or reverts that; where a schedule manages its end, that is released. */
    async cancelAtPeriodEnd(id: string, cancel: boolean, metadata: Record<string, string>, by: By) {
      const params = { cancel_at_period_end: cancel, metadata }
      const change = async () => toSubscription(await ask(() => sdk.subscriptions.update(id, params, options(by))))
      try {
        return await change()
      } catch (error) {
        if (!isFailure(error, 'refused') || !(await releaseSchedule(sdk, id, by))) throw error
        return await change()
      }
    },

    /** Another price from the next period on: nothing is charged or credited for the running one. */
    async changePrice(id: string, priceId: string, by: By): Promise<void> {
      const { items } = await ask(() => sdk.subscriptions.retrieve(id, {}, options(by)))
      const [item] = items.data
      if (!item) return
      const params = { items: [{ id: item.id, price: priceId }], proration_behavior: 'none' as const }
      await ask(() => sdk.subscriptions.update(id, params, options(by)))
    },

    /** Charges this saved card from now on, for one subscription and for the customer's later invoices. */
    async useCard(
      input: { subscriptionId: string; customerId: string; paymentMethodId: string },
      by: By,
    ): Promise<void> {
      await ask(() =>
        sdk.customers.update(
          input.customerId,
          { invoice_settings: { default_payment_method: input.paymentMethodId } },
          options(by),
        ),
      )
      const params: Stripe.SubscriptionUpdateParams = {
        default_payment_method: input.paymentMethodId,
        // one that began with PayPal is charged by card from now on; its bills take the types that they were made with
        payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
      }
      await ask(() => sdk.subscriptions.update(input.subscriptionId, params, options(by)))
    },
  }
}

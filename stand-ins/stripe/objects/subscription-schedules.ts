// Schedules as the dashboard attaches them to a running subscription: what they plan is kept and never happens here.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { invalid } from '../http/errors.ts'
import { fields } from '../schemas.ts'
import { newId } from '../ids.ts'
import { idOf } from '../types.ts'
import { updateSubscription } from './invoices.ts'

route<{ from_subscription: string }>(
  'POST',
  '/v1/subscription_schedules',
  fields({ from_subscription: 'string' }, ['from_subscription']),
  ({ tx }, { from_subscription: id }) => {
    const subscription = tx.need('subscription', id, 'from_subscription')
    if (subscription.schedule)
      throw invalid(
        `You cannot migrate a subscription that is already attached to a schedule: ` +
          `${idOf(subscription.schedule) ?? ''}.`,
        { param: 'from_subscription' },
      )
    const customer = idOf(subscription.customer) ?? ''
    const [item] = subscription.items.data
    const period = { start_date: item?.current_period_start, end_date: item?.current_period_end }
    const schedule = tx.put<Stripe.SubscriptionSchedule>({
      id: newId('sub_sched'),
      object: 'subscription_schedule',
      application: null,
      billing_mode: subscription.billing_mode,
      canceled_at: null,
      completed_at: null,
      created: tx.now(customer),
      current_phase: period,
      customer,
      customer_account: null,
      end_behavior: 'release',
      livemode: false,
      metadata: {},
      pause_schedules: [],
      phases: [
        { ...period, items: subscription.items.data.map(({ price, quantity }) => ({ price: price.id, quantity })) },
      ],
      released_at: null,
      released_subscription: null,
      status: 'active',
      subscription: subscription.id,
      test_clock: subscription.test_clock,
    } as unknown as Stripe.SubscriptionSchedule)
    tx.emit('subscription_schedule.created', schedule)
    updateSubscription(tx, subscription, { schedule: schedule.id })
    return schedule
  },
)

route('GET', '/v1/subscription_schedules/:id', fields({}), ({ tx, path }) =>
  tx.need('subscription_schedule', path['id'] ?? ''),
)

/** docs.stripe.com/api/subscription_schedules/release: the subscription stays as it is, without the schedule. */
route('POST', '/v1/subscription_schedules/:id/release', fields({ preserve_cancel_date: 'boolean' }), ({ tx, path }) => {
  const old = tx.need('subscription_schedule', path['id'] ?? '')
  if (old.status !== 'active')
    throw invalid(
      `You cannot release a subscription schedule that is currently in the \`${old.status}\` status. ` +
        'It can only be released if it is in the `not_started` or `active` status.',
    )
  const subscription = tx.need('subscription', idOf(old.subscription) ?? '')
  const released = tx.change(old, {
    status: 'released',
    current_phase: null,
    released_at: tx.now(idOf(old.customer)),
    released_subscription: subscription.id,
    subscription: null,
  })
  tx.emit('subscription_schedule.released', released)
  updateSubscription(tx, subscription, { schedule: null })
  return released
})

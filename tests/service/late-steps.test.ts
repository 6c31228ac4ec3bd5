/** H-04: a step at Stripe that comes after its buyer has thought otherwise, from a process that was held up or died. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Deadline } from '../../payments-service/http/deadline.ts'
import { settlePayment } from '../../payments-service/payments/settle.ts'
import { cancelSubscription } from '../../payments-service/subscriptions/cancel.ts'
import { endWithPeriod } from '../../payments-service/subscriptions/steps.ts'
import { syncSubscription } from '../../payments-service/subscriptions/sync.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)

async function subscriber(name: string) {
  const email = `${name}@example.com`
  const buyer = await world.buyer(email)
  await buyer.pay()
  const { stripe_subscription_id } = await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  const id = stripe_subscription_id ?? ''
  const token = tokenOf((await world.mail(email, 'order_confirmation')).data.cancelUrl)
  const press = async (name: 'cancel' | 'undo-cancel', by = token) => {
    const reply = await browserOf(world).post(`/api/links/${name}`, { token: by })
    expect(reply.status).toBe(200)
    return reply.body.subscription
  }
  return {
    id,
    mails: async () => (await world.mails(email)).map(({ kind }) => kind).filter((kind) => /^cancellation/.test(kind)),
    async cancel(): Promise<Date> {
      expect(await press('cancel')).toMatchObject({ nextCharge: null })
      return (await rowOf(buyer)).cancel_requested_at!
    },
    async keep() {
      const url = (await world.mail(email, 'cancellation_confirmed')).data.undoUrl
      expect((await press('undo-cancel', tokenOf(url ?? ''))).nextCharge).not.toBeNull()
    },
    late: (ends: boolean, asked: Date) => endWithPeriod(world.service.deps, id, ends, asked, undefined),
    dashboard: (ends: boolean) =>
      world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: String(ends) }),
    /** Its state here and at Stripe, once both have settled. */
    async stands(): Promise<[here: boolean, atStripe: boolean]> {
      await eventually(
        () => world.control('GET', 'webhooks'),
        ({ pending }) => pending === 0,
      )
      await eventually(
        () => world.db.selectFrom('webhook_events').select('id').where('handled_at', 'is', null).execute(),
        (left) => left.length === 0,
      )
      const { cancel_at_period_end } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
      return [(await rowOf(buyer)).cancel_at_period_end, cancel_at_period_end]
    },
    asked: async () => (await rowOf(buyer)).cancel_requested_at,
    status: async () => (await rowOf(buyer)).status,
  }
}

test('H-04 a late step of a cancellation that was taken back ends nothing, and no mail says that it did', async () => {
  const { cancel, keep, late, stands, mails, dashboard } = await subscriber('late-end')
  const first = await cancel()
  await keep()
  await late(true, first)
  await eventually(stands, ([here, there]) => !here && !there)
  expect(await mails()).toEqual(['cancellation_confirmed', 'cancellation_undone'])
  // of an operator it is no late step
  await dashboard(true)
  await eventually(stands, ([here, there]) => here && there)
  expect(await mails()).toHaveLength(3)
})

test('H-04 a late step that nobody heard of before the period ended: it is over here as at Stripe', async () => {
  const { id, cancel, keep, late, stands, status } = await subscriber('late-over')
  const first = await cancel()
  await keep()
  await stands()
  await world.silence()
  await late(true, first)
  await world.days(4)
  await world.hear()
  await syncSubscription(world.service.deps, id, undefined)
  expect(await status()).toBe('canceled')
})

test('H-04 a late step that takes an older cancellation back does not undo the one that stands', async () => {
  const { cancel, keep, late, stands, asked, dashboard } = await subscriber('late-keep')
  const first = await cancel()
  await keep()
  const second = await cancel()
  await late(false, first)
  await eventually(stands, ([here, there]) => here && there)
  expect(await asked()).toEqual(second)
  // an operator may
  await dashboard(false)
  await eventually(stands, ([here, there]) => !here && !there)
  expect(await asked()).toBeNull()
  // and may end it once more
  await dashboard(true)
  expect(await stands()).toEqual([true, true])
})

test('H-04 cancelled again after an unheard step that lets it go on: the cancellation counts', async () => {
  const { cancel, late, stands, asked } = await subscriber('kept-unheard')
  const first = await cancel()
  await stands()
  // the process died after the step, and its event is still to come
  await world.silence()
  await late(false, first)
  await cancel()
  await world.hear()
  await eventually(stands, ([here, there]) => here && there)
  expect((await asked())!.getTime()).toBeGreaterThan(first.getTime())
})

const subscribeOf = (buyer: Buyer) =>
  world.db
    .selectFrom('outbox')
    .select('kind')
    .where('session_id', '=', buyer.sessionId)
    .where('kind', '=', 'conversion:Subscribe')
    .execute()

test('P-04 T-03 a subscription whose creation got no answer begins with its event: payment, Subscribe', async () => {
  const buyer = await world.buyer('no-answer@example.com')
  const { body } = await buyer.open()
  await world.silence()
  await world.confirm(body)
  const { deps } = world.service
  const createSubscription: typeof deps.stripe.createSubscription = async (...given) => {
    const subscription = await deps.stripe.createSubscription(...given)
    await syncSubscription(deps, subscription.id, undefined)
    throw new Error('no answer')
  }
  const deaf = { ...deps, stripe: { ...deps.stripe, createSubscription } }
  await settlePayment(deaf, body.paymentIntentId, undefined).catch(() => undefined)
  const { status, stripe_subscription_id } = await rowOf(buyer)
  expect(status).toBe('trialing')
  const payment = await world.db
    .selectFrom('payments')
    .select('subscription_id')
    .where('payment_intent_id', '=', body.paymentIntentId)
    .executeTakeFirstOrThrow()
  expect(payment.subscription_id).toBe(stripe_subscription_id)
  expect(await subscribeOf(buyer)).toHaveLength(1)
  await world.hear()
})

test('P-04 H-04 a process that made it and stands still does not write over what was cancelled meanwhile', async () => {
  const buyer = await world.buyer('late-link@example.com')
  const { body } = await buyer.open()
  await world.silence()
  await world.confirm(body)
  const { deps } = world.service
  let made = 0
  const createSubscription: typeof deps.stripe.createSubscription = async (...given) => {
    const subscription = await deps.stripe.createSubscription(...given)
    made += 1
    // its event links it, and the buyer cancels
    await syncSubscription(deps, subscription.id, undefined)
    await cancelSubscription(deps, await rowOf(buyer), Deadline.in(20_000))
    return subscription
  }
  await settlePayment({ ...deps, stripe: { ...deps.stripe, createSubscription } }, body.paymentIntentId, undefined)
  const row = await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  expect([made, row.cancel_at_period_end, row.next_charge_at, row.cancel_done_at]).toEqual([
    ...[1, true, null],
    expect.any(Date),
  ])
  // what follows from a subscription that begins follows all the same
  const begun = await subscribeOf(buyer)
  expect(begun).toHaveLength(1)
  await world.hear()
})

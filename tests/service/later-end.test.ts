/** A subscription that ends on a later day, set in Stripe's dashboard: until then it renews and charges. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standingOf } from '../../src/members/words.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const DAY = 86_400
const viewOf = async ({ browser }: Buyer) => (await browser.get('/api/account')).body.subscriptions[0]
const kindsTo = async (email: string) => (await world.mails(email)).map(({ kind }) => kind)

/** Ends the subscription so many days after its trial. */
async function endLater(buyer: Buyer, days: number): Promise<void> {
  const { stripe_subscription_id: id } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  const { trial_end } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at: String(trial_end + days * DAY) })
  await eventually(
    () => subscriptionRow(world, buyer),
    ({ cancel_at }) => cancel_at !== null,
  )
}

test('A-05 H-04 an end set for a later day: page and mails tell the charges before it', async () => {
  const email = 'ends-later@example.com'
  const buyer = await world.member({ email })
  await endLater(buyer, 45)
  const trial = await viewOf(buyer)
  expect(trial).toMatchObject({ state: 'trial', nextCharge: { amount: 3900 } })
  expect(standingOf(trial).next).toMatch(/^Next charge: \$39 on .*, then the same every 30 days until it ends on /)
  expect(await kindsTo(email)).not.toContain('cancellation_confirmed')
  // the period that it ends in has begun: now nothing follows, and its own charge is still to come
  await world.days(33)
  const last = await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ending',
  )
  expect(standingOf(last).next).toContain('for the period that has begun is still charged, nothing after it.')
  expect((await world.mail(email, 'cancellation_confirmed')).data).toMatchObject({ last: { amount: 3900 } })
  await world.days(20)
  await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ended',
  )
  const { stripe_customer_id: customer } = await subscriptionRow(world, buyer)
  const { data } = await world.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
  expect((data as { amount: number }[]).map(({ amount }) => amount)).toEqual([3900, 3900, 100])
})

test('P-14 it holds its address until then: a second order beside it starts nothing and goes back', async () => {
  const email = 'ends-later-again@example.com'
  const buyer = await world.member({ email })
  await endLater(buyer, 75)
  const second = await world.buyer(email)
  const opened = await second.open('trial_5')
  await world.confirm(opened.body)
  const answer = await second.finalize(opened.body.paymentIntentId)
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'already_subscribed'])
  // its buyer leaves at once, like any other
  const { id } = await viewOf(buyer)
  const left = await buyer.browser.post(`/api/subscriptions/${id}/cancel`)
  expect(left.body).toMatchObject({ state: 'ending', nextCharge: null })
})

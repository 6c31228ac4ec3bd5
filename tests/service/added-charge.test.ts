/** A sum that was added to the next bill in Stripe's dashboard is charged there also where the subscription ends. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelWords, standingOf } from '../../src/members/words.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const viewOf = async ({ browser }: Buyer) => (await browser.get('/api/account')).body.subscriptions[0]

async function charged(buyer: Buyer): Promise<number[]> {
  const { stripe_customer_id: customer } = await subscriptionRow(world, buyer)
  const { data } = await world.dashboard('GET', '/v1/charges', { customer: customer ?? '' })
  return (data as { amount: number }[]).map(({ amount }) => amount)
}

/** A member to whose next bill $5 were added. */
async function billed(email: string): Promise<{ buyer: Buyer; id: string }> {
  const buyer = await world.member({ email })
  const { stripe_subscription_id: id, stripe_customer_id: customer } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  await world.dashboard('POST', '/v1/invoiceitems', { customer: customer ?? '', amount: '500', currency: 'usd' })
  return { buyer, id: id ?? '' }
}

const ended = (buyer: Buyer) =>
  eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ended',
  )

test('A-05 H-04 cancelled in the dashboard, the added sum is told before it is charged, and after', async () => {
  const email = 'added@example.com'
  const { buyer, id } = await billed(email)
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: 'true' })
  const leaving = await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ending',
  )
  expect(standingOf(leaving).next).toMatch(/^\$5 that was added to your bill is charged on .*, nothing after it\./)
  expect((await world.mail(email, 'cancellation_confirmed')).data).toMatchObject({ last: { amount: 500 } })
  await world.control('POST', 'clock', { advance: 3 * 86_400 + 600 })
  const over = await ended(buyer)
  expect(standingOf(over).next).toContain('$5 that was added to your bill is charged on ')
  const { data } = await world.mail(email, 'access_ended')
  expect(data).toMatchObject({ last: { amount: 500 } })
  expect(await charged(buyer)).toEqual([100])
  await world.days(0.1)
  expect((await world.mail(email, 'renewal_receipt')).data).toMatchObject({ amount: 500, nextAmount: null })
  expect(await charged(buyer)).toEqual([500, 100])
  const after = await eventually(
    () => viewOf(buyer),
    ({ nextCharge }) => nextCharge === null,
  )
  expect(standingOf(after).next).toContain('Nothing more is charged.')
})

test('A-05 H-04 a buyer who cancels is charged nothing more: not what was added either', async () => {
  const email = 'added-leaves@example.com'
  const { buyer } = await billed(email)
  const before = await viewOf(buyer)
  expect(cancelWords(before)).toContain('nothing more is charged')
  const left = await buyer.browser.post(`/api/subscriptions/${before.id}/cancel`)
  expect(left.body).toMatchObject({ state: 'ending', nextCharge: null })
  expect((await world.mail(email, 'cancellation_confirmed')).data).toMatchObject({ last: null })
  await world.control('POST', 'clock', { advance: 3 * 86_400 + 600 })
  expect(standingOf(await ended(buyer)).next).toContain('Nothing more is charged.')
  expect((await world.mail(email, 'access_ended')).data).toMatchObject({ last: null })
  // the bill of what was added is drawn an hour before it is charged, and is voided in that hour
  await eventually(
    async () => (await world.dashboard('GET', '/v1/invoices', { customer: await customerOf(buyer) })).data,
    (invoices: { status: string; amount_due: number }[]) =>
      invoices.some(({ status, amount_due }) => amount_due === 500 && status === 'void'),
  )
  await world.days(20)
  expect(await charged(buyer)).toEqual([100])
})

test('A-05 H-04 a cancellation of the dashboard that is taken back: both sums are told, and charged', async () => {
  const { buyer, id } = await billed('added-stays@example.com')
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: 'true' })
  const { id: row, keepable } = await eventually(
    () => viewOf(buyer),
    ({ state }) => state === 'ending',
  )
  expect(keepable).toBe(true)
  const kept = await buyer.browser.post(`/api/subscriptions/${row}/keep`)
  expect(kept.body).toMatchObject({ state: 'trial', nextCharge: { amount: 4400 }, price: 3900 })
  await world.days(3.1)
  await eventually(
    () => charged(buyer),
    (amounts) => amounts.length === 2,
  )
  expect(await charged(buyer)).toEqual([4400, 100])
})

async function customerOf(buyer: Buyer): Promise<string> {
  return (await subscriptionRow(world, buyer)).stripe_customer_id ?? ''
}

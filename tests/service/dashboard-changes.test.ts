/** An operator's changes to a customer in Stripe's dashboard reach the page and the mails within a minute. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { signature } from '../../stand-ins/stripe/webhooks.ts'
import type { Buyer } from './funnel.ts'
import { waitingMails } from './mails.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually, WEBHOOK_SECRET } from './service.ts'

/** No event arrives except the webhooks that a test delivers: the poll's bookmark lies ahead. */
let world: Membership
beforeAll(async () => {
  world = await startMembership()
  const at = new Date(Date.now() + 60 * 86_400_000)
  await world.db
    .insertInto('bookmarks')
    .values({ name: 'stripe_events', at })
    .onConflict((row) => row.column('name').doUpdateSet({ at }))
    .execute()
})
afterEach(async () => {
  vi.useRealTimers()
  await world.control('POST', 'webhooks', { mode: 'normal' })
  await world.control('DELETE', 'faults')
})
afterAll(() => world.stop())

const viewOf = async ({ browser }: Buyer) => (await browser.get('/api/account')).body.subscriptions[0]
const rowOf = ({ sessionId }: Pick<Buyer, 'sessionId'>) =>
  world.db.selectFrom('subscriptions').selectAll().where('session_id', '=', sessionId).executeTakeFirstOrThrow()
const next = (buyer: Buyer, amount: number) =>
  eventually(
    () => viewOf(buyer),
    ({ nextCharge }) => nextCharge?.amount === amount,
  )

async function member(): Promise<{
  buyer: Buyer
  email: string
  customer: string
  extra(cents: number): Promise<string>
}> {
  const email = `dashboard-${crypto.randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.member({ email })
  await next(buyer, 3900)
  const customer = (await rowOf(buyer)).stripe_customer_id ?? ''
  const extra = async (cents: number): Promise<string> => {
    const form = { customer, amount: String(cents), currency: 'usd', description: 'A call with a coach' }
    return (await world.dashboard('POST', '/v1/invoiceitems', form)).id
  }
  return { buyer, email, customer, extra }
}

/** Delivers a signed event as Stripe would. */
async function deliver(type: string, object: object): Promise<void> {
  const id = `evt_${randomBytes(8).toString('hex')}`
  const created = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ object: 'event', id, type, created, livemode: false, data: { object } })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature(body, WEBHOOK_SECRET) }
  expect((await fetch(`${world.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status).toBe(200)
}

test('A-05 A-06 P-10 a sum added to the next invoice, or taken off, is on page, reminder and charge', async () => {
  const { buyer, email, customer, extra } = await member()
  const item = await extra(250)
  await next(buyer, 4150)
  await world.dashboard('DELETE', `/v1/invoiceitems/${item}`)
  await next(buyer, 3900)
  await extra(500)
  const { nextCharge } = await next(buyer, 4400)
  const reminders = await eventually(
    () => waitingMails(world.service, 'trial_ends', buyer.sessionId),
    (all) => typeof all.at(-1) === 'object',
  )
  expect(reminders.at(-1)).toMatchObject({ data: { amount: 4400, chargeAt: nextCharge.at } })
  await world.control('POST', 'clock', { advance: 3 * 86_400 + 7_200 })
  const receipt = await world.mail(email, 'renewal_receipt')
  expect(receipt.data).toMatchObject({ amount: 4400, nextAmount: 3900 })
  const { data } = await world.dashboard('GET', '/v1/charges', { customer })
  expect((data as { amount: number }[]).map(({ amount }) => amount)).toEqual([4400, 100])
})

test.each([
  'customer.updated',
  'customer.discount.created',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.upcoming',
])('A-05 P-10 “%s” has the next charge looked at again, where nothing else told of a change', async (type) => {
  const { buyer, customer, extra } = await member()
  await world.control('POST', 'webhooks', { mode: 'lost' })
  await extra(500)
  const subscription = (await rowOf(buyer)).stripe_subscription_id
  const objects: Record<string, object> = {
    'customer.updated': { object: 'customer', id: customer, balance: -500 },
    'customer.discount.created': { object: 'discount', id: 'di_1', customer },
    'customer.subscription.paused': { object: 'subscription', id: subscription },
    'customer.subscription.resumed': { object: 'subscription', id: subscription },
    // a preview: older accounts send it without an id
    'invoice.upcoming': { object: 'invoice', parent: { subscription_details: { subscription } } },
  }
  expect((await viewOf(buyer)).nextCharge.amount).toBe(3900)
  await deliver(type, objects[type] ?? {})
  await next(buyer, 4400)
})

test('A-05 H-04 P-12 a deleted customer: page and mail say that it has ended; nothing more is charged', async () => {
  const { buyer, email, customer } = await member()
  // of all the events Stripe then sends, only the one about the customer arrives
  await world.control('POST', 'webhooks', { mode: 'lost' })
  await world.dashboard('DELETE', `/v1/customers/${customer}`)
  await deliver('customer.deleted', { object: 'customer', id: customer })
  await eventually(
    () => viewOf(buyer),
    ({ state, nextCharge }) => state === 'ended' && nextCharge === null,
  )
  expect((await world.mail(email, 'access_ended')).data).toMatchObject({ reason: 'cancelled', asked: false })
  await world.control('POST', 'clock', { advance: 4 * 86_400 })
  const { data } = await world.control('GET', 'objects?kind=charge&limit=1000')
  const charged = (data as { customer: string; amount: number }[]).filter((one) => one.customer === customer)
  expect(charged.map(({ amount }) => amount)).toEqual([100])
})

test('A-05 a card that its bank replaced shows its new digits within a minute', async () => {
  const { buyer } = await member()
  const { paidWith } = await viewOf(buyer)
  const method = (await rowOf(buyer)).payment_method_id ?? ''
  await world.dashboard('POST', `/v1/payment_methods/${method}`, { 'card[exp_month]': '3', 'card[exp_year]': '2041' })
  expect((await world.dashboard('GET', `/v1/payment_methods/${method}`)).card.exp_year).toBe(2041)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  expect([paidWith.expires, (await viewOf(buyer)).paidWith.expires]).toEqual([paidWith.expires, '03/41'])
})

test('P-01 P-11 a customer deleted twice in one order: “Customer information missing”, then it works', async () => {
  const buyer = await world.buyer()
  await buyer.browser.post(buyer.path('/customer'), { email: `${crypto.randomUUID()}@example.com` })
  const { stripe_customer_id } = await world.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  await world.dashboard('DELETE', `/v1/customers/${stripe_customer_id}`)
  const known = async (): Promise<string[]> =>
    ((await world.control('GET', 'objects?kind=customer&limit=1000')).data as { id: string }[]).map(({ id }) => id)
  const before = new Set(await known())
  // the order continues with a new customer, which is deleted before its intent is made
  await world.control('POST', 'faults', {
    mode: 'stall',
    ms: 6_000,
    method: 'POST',
    path: '/v1/payment_intents',
    after: 1,
  })
  const again = buyer.open('trial_5')
  const made = await eventually(
    async () => (await known()).find((id) => !before.has(id)),
    (id) => id !== undefined,
  )
  await world.dashboard('DELETE', `/v1/customers/${made}`)
  expect(await again).toMatchObject({ status: 409, body: { error: { code: 'customer_missing' } } })
  await world.control('DELETE', 'faults')
  await buyer.pay('trial_5')
  const rows = await world.db.selectFrom('payments').selectAll().where('session_id', '=', buyer.sessionId).execute()
  expect(rows.map(({ amount_cents }) => amount_cents)).toEqual([500])
})

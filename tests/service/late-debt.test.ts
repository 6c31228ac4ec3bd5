/** A debt that is paid after later periods have begun: while a subscription is unpaid, their bills stay drafts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SubscriptionView } from '../../contract/members.ts'
import type { Mail } from '../../payments-service/mail/mail.ts'
import { type Buyer, chargedTo, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const PERIOD = 30 * 86_400_000
const GOOD = 'pm_card_visa'
const EMPTY = 'pm_card_chargeCustomerFail'
const ASKS = 'pm_card_authenticationRequired'
const LAST4: Record<string, string> = { [GOOD]: '4242', [EMPTY]: '0341', [ASKS]: '3184' }

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const seen = (buyer: Buyer, wanted: (view: SubscriptionView) => boolean) =>
  eventually(async () => (await buyer.browser.get('/api/account')).body.subscriptions[0] as SubscriptionView, wanted)
const pay = async (buyer: Buyer, { id, owed, paidWith: face }: SubscriptionView) =>
  (await buyer.browser.post(`/api/subscriptions/${id}/payment`, { owed, paidWith: face })).body

const paidWith = ({ paidWith: face }: SubscriptionView, card: string): boolean =>
  face?.type === 'card' && face.last4 === LAST4[card]

async function useCard(buyer: Buyer, card: string): Promise<void> {
  const { stripe_subscription_id: id, stripe_customer_id: customer } = await rowOf(buyer)
  const { id: method } = await world.dashboard('POST', `/v1/payment_methods/${card}/attach`, {
    customer: customer ?? '',
  })
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { default_payment_method: method })
}

/** Refused on day 3, given up on day 10, and since then `turns` later periods have begun. The card may be another. */
async function closedFor(buyer: Buyer, turns: number, card: string): Promise<SubscriptionView> {
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  await useCard(buyer, EMPTY)
  await world.days(11)
  const { chargeAfterOwed } = await seen(buyer, ({ state }) => state === 'unpaid')
  const turned = Date.parse(chargeAfterOwed ?? '') + turns * PERIOD
  await world.days(turns * 30)
  await useCard(buyer, card)
  return seen(buyer, (view) => Date.parse(view.chargeAfterOwed ?? '') === turned && paidWith(view, card))
}

/** Of its invoices that are not paid, their status; the newest first. */
async function unpaidBills(buyer: Buyer): Promise<string[]> {
  const { stripe_subscription_id: id } = await rowOf(buyer)
  const { data } = await world.dashboard('GET', `/v1/invoices?subscription=${id}`)
  return data.map(({ status }: { status: string }) => status).filter((status: string) => status !== 'paid')
}

test('A-05 H-01 P-12 a debt paid periods later buys the period that runs, once, and opens the programme', async () => {
  const buyer = await world.member({ email: 'back-again@example.com' })
  const shown = await closedFor(buyer, 2, GOOD)
  expect(shown).toMatchObject({ state: 'unpaid', owed: 3900, nextCharge: null })
  expect(await unpaidBills(buyer)).toEqual(['draft', 'draft', 'open'])
  // two tabs
  const presses = await Promise.all([pay(buyer, shown), pay(buyer, shown)])
  expect(presses.map(({ result }) => result)).toContain('paid')
  const { state, owed, nextCharge } = await seen(buyer, (view) => view.state === 'active')
  expect({ state, owed, nextCharge }).toEqual({
    state: 'active',
    owed: null,
    nextCharge: { amount: 3900, at: shown.chargeAfterOwed },
  })
  expect(await pay(buyer, shown)).toMatchObject({ result: 'saved', subscription: { state: 'active' } })
  expect((await buyer.browser.get('/api/programme')).status).toBe(200)
  expect(await chargedTo(world, buyer)).toEqual([3900, 100])
  expect(await unpaidBills(buyer)).toEqual(['void', 'void'])
  const receipt = await world.mail('back-again@example.com', 'renewal_receipt')
  expect(receipt.data).toMatchObject({ amount: 3900, nextChargeAt: shown.chargeAfterOwed })
})

test('A-05 H-01 a late debt that the bank refuses again, or wants confirmed, stays the same debt', async () => {
  const buyer = await world.member()
  const shown = await closedFor(buyer, 1, EMPTY)
  expect(await pay(buyer, shown)).toMatchObject({ result: 'owed', subscription: { state: 'unpaid', owed: 3900 } })
  await useCard(buyer, ASKS)
  const asked = await seen(buyer, (view) => paidWith(view, ASKS))
  const { result, clientSecret } = await pay(buyer, asked)
  expect(result).toBe('owed')
  const paymentIntentId = String(clientSecret).split('_secret_')[0] ?? ''
  await world.authenticate({ paymentIntentId, clientSecret }, 'complete')
  expect(await pay(buyer, asked)).toMatchObject({ result: 'saved', subscription: { state: 'active', owed: null } })
  expect(await chargedTo(world, buyer)).toEqual([3900, 100])
})

test('A-05 H-01 a bill that an operator finalized and nobody tried is paid like a draft', async () => {
  const buyer = await world.member()
  await closedFor(buyer, 1, GOOD)
  const { stripe_subscription_id: id } = await rowOf(buyer)
  const { latest_invoice: latest } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  await world.dashboard('POST', `/v1/invoices/${latest}/finalize`)
  const shown = await seen(buyer, ({ owed }) => owed === 3900)
  expect(await pay(buyer, shown)).toMatchObject({ result: 'paid', subscription: { state: 'active' } })
  expect(await chargedTo(world, buyer)).toEqual([3900, 100])
})

test('A-05 H-01 a bill that Stripe marks uncollectible is named, and paid it opens the programme', async () => {
  const buyer = await world.member()
  await closedFor(buyer, 1, EMPTY)
  const { stripe_subscription_id: id } = await rowOf(buyer)
  const { latest_invoice: latest } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  await world.dashboard('POST', `/v1/invoices/${latest}/finalize`)
  await world.dashboard('POST', `/v1/invoices/${latest}/mark_uncollectible`)
  const shown = await seen(buyer, ({ owed }) => owed === 3900)
  expect(await pay(buyer, shown)).toMatchObject({ result: 'owed', subscription: { state: 'unpaid', owed: 3900 } })
  await useCard(buyer, GOOD)
  const again = await seen(buyer, (view) => paidWith(view, GOOD))
  expect(await pay(buyer, again)).toMatchObject({ result: 'paid', subscription: { state: 'active', owed: null } })
  expect(await chargedTo(world, buyer)).toEqual([3900, 100])
})

test('A-05 P-12 a payment that does not open the programme is not answered with "everything is open"', async () => {
  const buyer = await world.member()
  const shown = await closedFor(buyer, 1, GOOD)
  const { stripe_subscription_id: id } = await rowOf(buyer)
  const { latest_invoice: latest } = await world.dashboard('GET', `/v1/subscriptions/${id}`)
  // an operator gives up the bill of the period that runs: only the older one is left
  await world.dashboard('POST', `/v1/invoices/${latest}/finalize`)
  await world.dashboard('POST', `/v1/invoices/${latest}/void`)
  expect((await pay(buyer, shown)).error?.code).toBe('service_unavailable')
  expect(await chargedTo(world, buyer)).toEqual([3900, 100])
})

test('A-06 H-01 the receipt of a bill whose period is over names no charge of the past', async () => {
  const buyer = await world.member({ email: 'oldest-bill@example.com' })
  await closedFor(buyer, 1, GOOD)
  const { stripe_subscription_id: id } = await rowOf(buyer)
  const { data } = await world.dashboard('GET', `/v1/invoices?subscription=${id}`)
  const old = data.find(({ status }: { status: string }) => status === 'open')
  // an operator collects it in the dashboard: Stripe opens nothing for it
  await world.dashboard('POST', `/v1/invoices/${old.id}/pay`)
  const receipt = await world.mail('oldest-bill@example.com', 'renewal_receipt')
  expect((receipt as Extract<Mail, { kind: 'renewal_receipt' }>).data.nextChargeAt).toBeNull()
})

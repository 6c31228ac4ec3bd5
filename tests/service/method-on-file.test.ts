/** What is owed, paid with the card or PayPal account that is on file, without typing anything again. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Buyer, chargedTo, subscriptionRow } from './funnel.ts'
import { browserOf, type Membership, startMembership, tokenOf, twice } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const GOOD = 'pm_card_visa'
const EMPTY = 'pm_card_chargeCustomerFail'
const ASKS = 'pm_card_authenticationRequired'

const attach = async (buyer: Buyer, card: string): Promise<string> => {
  const { stripe_customer_id: customer } = await subscriptionRow(world, buyer)
  return (await world.dashboard('POST', `/v1/payment_methods/${card}/attach`, { customer: customer ?? '' })).id
}

/** A subscription is charged to another card: by an operator, or because its owner's card is no longer what it was. */
async function useCard(buyer: Buyer, card: string): Promise<void> {
  const { stripe_subscription_id: id } = await subscriptionRow(world, buyer)
  const method = card.startsWith('pm_card_') ? await attach(buyer, card) : card
  await world.dashboard('POST', `/v1/subscriptions/${id}`, { default_payment_method: method })
}

async function untilLate(buyer: Buyer, card: string): Promise<Shown> {
  await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  await useCard(buyer, card)
  await world.days(3.1)
  return shownTo(buyer, ({ state }) => state === 'late')
}

interface Shown {
  id: string
  state: string
  owed: number | null
  paidWith: { type: string; brand?: string; last4?: string }
}

const shownTo = (buyer: Buyer, wanted: (shown: Shown) => boolean): Promise<Shown> =>
  eventually(async () => (await buyer.browser.get('/api/account')).body.subscriptions[0] as Shown, wanted)

const pay = async (buyer: Buyer, { id, owed, paidWith }: Shown) =>
  (await buyer.browser.post(`/api/subscriptions/${id}/payment`, { owed, paidWith })).body

const charged = (buyer: Buyer) => chargedTo(world, buyer)

test('A-05 H-01 a card that is good again pays what is owed with one press, and only once', async () => {
  const buyer = await world.member()
  const refused = await untilLate(buyer, EMPTY)
  expect(await pay(buyer, refused)).toMatchObject({ result: 'owed', subscription: { state: 'late', owed: 3900 } })
  expect(await charged(buyer)).toEqual([100])
  await useCard(buyer, GOOD)
  // the page still names the other card: its press charges neither
  const { result, subscription } = await pay(buyer, refused)
  expect([result, subscription.paidWith.last4]).toEqual(['unasked', '4242'])
  expect(await charged(buyer)).toEqual([100])
  const presses = await Promise.all([pay(buyer, subscription), pay(buyer, subscription)])
  expect(presses.map((press) => press.subscription?.state)).toContain('active')
  expect(await pay(buyer, subscription)).toMatchObject({ result: 'saved', subscription: { state: 'active' } })
  expect(await charged(buyer)).toEqual([3900, 100])
})

test('H-01 another sum than the page named is not charged', async () => {
  const buyer = await world.member()
  await untilLate(buyer, EMPTY)
  await useCard(buyer, GOOD)
  const shown = await shownTo(buyer, ({ paidWith }) => paidWith.last4 === '4242')
  expect(await pay(buyer, { ...shown, owed: 2900 })).toMatchObject({ result: 'unasked', subscription: { owed: 3900 } })
  expect(await charged(buyer)).toEqual([100])
})

test('H-01 what another page has paid meanwhile, with another card, is said to be paid', async () => {
  const buyer = await world.member()
  const shown = await untilLate(buyer, EMPTY)
  const { id, owed } = shown
  const { setupIntentId, clientSecret } = (await buyer.browser.post(`/api/subscriptions/${id}/card/setup`)).body
  await world.confirmSetup({ setupIntentId, clientSecret }, GOOD)
  const saved = await buyer.browser.post(`/api/subscriptions/${id}/card`, { setupIntentId, owed })
  expect(saved.body).toMatchObject({ result: 'paid' })
  expect(await pay(buyer, shown)).toMatchObject({ result: 'saved', subscription: { state: 'active', owed: null } })
  expect(await charged(buyer)).toEqual([3900, 100])
})

test('A-05 H-01 while Stripe cannot say what is on file, nothing is charged: try again', async () => {
  const buyer = await world.member()
  await untilLate(buyer, EMPTY)
  await useCard(buyer, GOOD)
  const shown = await shownTo(buyer, ({ paidWith }) => paidWith.last4 === '4242')
  // another one of the same face, which no page has read yet
  await useCard(buyer, GOOD)
  await world.control('POST', 'faults', {
    from: 'server',
    method: 'GET',
    path: '/v1/payment_methods',
    mode: '500',
    times: 9,
  })
  expect((await pay(buyer, shown)).error?.code).toBe('stripe_unavailable')
  expect(await charged(buyer)).toEqual([100])
  await world.control('DELETE', 'faults')
  expect(await pay(buyer, shown)).toMatchObject({ result: 'paid', subscription: { state: 'active' } })
})

test('A-05 a bank that asks its customer each time is asked on the page', async () => {
  const buyer = await world.member()
  const shown = await untilLate(buyer, ASKS)
  const { result, clientSecret } = await pay(buyer, shown)
  expect(result).toBe('owed')
  const paymentIntentId = String(clientSecret).split('_secret_')[0] ?? ''
  await world.authenticate({ paymentIntentId, clientSecret }, 'complete')
  expect(await pay(buyer, shown)).toMatchObject({ clientSecret: null, subscription: { state: 'active', owed: null } })
  expect(await charged(buyer)).toEqual([3900, 100])
})

test('A-06 H-01 H-04 the link of the mail pays with it too, also when the programme is closed already', async () => {
  const buyer = await world.member({ email: 'topped-up@example.com' })
  await untilLate(buyer, EMPTY)
  await world.days(8)
  const mail = await world.mail('topped-up@example.com', 'access_ended')
  await useCard(buyer, GOOD)
  await shownTo(buyer, ({ paidWith }) => paidWith.last4 === '4242')
  const token = tokenOf(mail.data.returnUrl)
  const phone = browserOf(world)
  const { subscription } = (await phone.post('/api/links/update-payment/view', { token })).body
  expect(subscription).toMatchObject({ state: 'unpaid', owed: 3900, paidWith: { last4: '4242' } })
  // H-01: what follows the payment is told before it: its period may be nearly over
  const { owed, paidWith, chargeAfterOwed } = subscription
  const paid = await phone.post('/api/links/update-payment/payment', { token, owed, paidWith })
  expect(paid.body).toMatchObject({ result: 'paid', subscription: { state: 'active', owed: null } })
  expect(paid.body.subscription).toMatchObject({ chargeAfterOwed: null, nextCharge: { at: chargeAfterOwed } })
  expect((await buyer.browser.get('/api/programme')).status).toBe(200)
  expect(await charged(buyer)).toEqual([3900, 100])
  const forged = await phone.post('/api/links/update-payment/payment', { token: 'nonsense', owed, paidWith })
  expect(forged.body.error.code).toBe('link_invalid')
})

/** Two periods are owed, because Stripe goes on trying for longer than one. The card may be another by now. */
async function owesTwo(card: string): Promise<{ buyer: Buyer; shown: Shown }> {
  await world.control('POST', 'account', { retry_days: [60] })
  const buyer = await world.member()
  await untilLate(buyer, EMPTY)
  await world.days(30)
  await shownTo(buyer, ({ owed }) => owed === 7800)
  await world.control('POST', 'account', { retry_days: [2, 2, 3] })
  await useCard(buyer, card)
  const shown = await shownTo(buyer, ({ owed, paidWith }) => owed === 7800 && paidWith.last4 !== '0341')
  return { buyer, shown }
}

test('A-05 H-01 a card that is good for one of two bills pays the older, and says so', async () => {
  const { buyer, shown } = await owesTwo(GOOD)
  const empty = await attach(buyer, EMPTY)
  const { stripe } = world.service.deps
  const pays = stripe.payInvoice
  const bank = vi.spyOn(stripe, 'payInvoice').mockImplementationOnce(pays)
  bank.mockImplementation((id, method, by) => pays(id, { ...method, id: empty }, by))
  const { result, subscription } = await pay(buyer, shown)
  bank.mockRestore()
  expect([result, subscription.state, subscription.owed]).toEqual(['part', 'late', 3900])
  expect(await charged(buyer)).toEqual([3900, 100])
  expect(await pay(buyer, subscription)).toMatchObject({
    result: 'paid',
    subscription: { state: 'active', owed: null },
  })
  expect(await charged(buyer)).toEqual([3900, 3900, 100])
})

test('A-05 H-01 a bank that asks about each of two bills: after the first, the rest is named', async () => {
  const { buyer, shown } = await owesTwo(ASKS)
  const confirmed = async (to: Shown) => {
    const { clientSecret } = await pay(buyer, to)
    const paymentIntentId = String(clientSecret).split('_secret_')[0] ?? ''
    await world.authenticate({ paymentIntentId, clientSecret }, 'complete')
    return pay(buyer, to)
  }
  const { result, subscription } = await confirmed(shown)
  expect([result, subscription.state, subscription.owed]).toEqual(['unasked', 'late', 3900])
  expect(await charged(buyer)).toEqual([3900, 100])
  expect(await confirmed(subscription)).toMatchObject({
    result: 'saved',
    subscription: { state: 'active', owed: null },
  })
  expect(await charged(buyer)).toEqual([3900, 3900, 100])
})

async function paypalBuyer(answer: 'complete' | 'complete_once'): Promise<Buyer> {
  const buyer = await world.buyer(`wallet-${answer.replace('_', '-')}@example.com`)
  const { body } = await buyer.open('trial_1', 'paypal')
  await world.paypal(body, answer)
  expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
  await buyer.browser.post(buyer.path('/account'), twice)
  return buyer
}

test('A-05 P-06 a PayPal account pays what is owed without its page', async () => {
  const buyer = await paypalBuyer('complete')
  const { payment_method_id: account } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ payment_method_id }) => payment_method_id !== null,
  )
  await untilLate(buyer, EMPTY)
  await useCard(buyer, account ?? '')
  const shown = await shownTo(buyer, ({ paidWith }) => paidWith.type === 'paypal')
  expect(await pay(buyer, shown)).toMatchObject({ result: 'paid', subscription: { state: 'active' } })
  expect(await charged(buyer)).toEqual([3900, 100])
})

test('A-05 P-06 a PayPal account that refuses again leaves the debt as it is', async () => {
  const buyer = await paypalBuyer('complete_once')
  await world.days(3.1)
  const shown = await shownTo(buyer, ({ state }) => state === 'late')
  expect(shown.paidWith).toEqual({ type: 'paypal' })
  expect(await pay(buyer, shown)).toMatchObject({ result: 'owed', subscription: { state: 'late', owed: 3900 } })
  expect(await charged(buyer)).toEqual([100])
})

test('A-05 nobody pays for a stranger, and a body that names no sum or method is refused by field', async () => {
  const [one, other] = [await world.member(), await world.member()]
  const shown = await shownTo(one, ({ state }) => state === 'trial')
  expect((await pay(other, { ...shown, owed: 3900 })).error.code).toBe('not_found')
  // nothing is owed
  expect(await pay(one, { ...shown, owed: 3900 })).toMatchObject({ result: 'saved', subscription: { state: 'trial' } })
  expect((await pay(one, { ...shown, owed: null })).error).toMatchObject({ field: 'owed' })
  expect(await charged(one)).toEqual([100])
})

/** a subscription that began with PayPal accepts its owner's card later, and renews with it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Membership, startMembership, twice } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

test('A-05 P-07 from PayPal to a card: the page shows it, and the first try of the renewal charges it', async () => {
  const buyer = await world.buyer()
  const { body } = await buyer.open('trial_5', 'paypal')
  await world.paypal(body)
  expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
  const mine = async () => (await buyer.browser.get('/api/account')).body.subscriptions[0]
  const { id, paidWith } = await eventually(mine, ({ state }) => state === 'trial')
  expect(paidWith).toEqual({ type: 'paypal' })
  const setup = (await buyer.browser.post(`/api/subscriptions/${id}/card/setup`)).body
  await world.confirmSetup(setup, 'pm_card_mastercard')
  const saved = await buyer.browser.post(`/api/subscriptions/${id}/card`, { setupIntentId: setup.setupIntentId })
  expect(saved.body).toMatchObject({ result: 'saved', subscription: { paidWith: { brand: 'mastercard' } } })
  await world.days(3.1)
  const renewal = () =>
    world.db
      .selectFrom('payments')
      .select(['amount_cents', 'charge_id'])
      .where('session_id', '=', buyer.sessionId)
      .where('purpose', 'like', 'renewal:%')
      .executeTakeFirst()
  const paid = await eventually(renewal, (row) => row !== undefined)
  const charge = await world.dashboard('GET', `/v1/charges/${paid?.charge_id}`)
  expect([paid?.amount_cents, charge.payment_method_details.card?.brand]).toEqual([3900, 'mastercard'])
  expect(await mine()).toMatchObject({ state: 'active', owed: null })
})

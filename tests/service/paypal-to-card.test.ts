/** a subscription that began with PayPal accepts its owner's card later, and renews with it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buyer, chargedTo } from './funnel.ts'
import { type Membership, startMembership, twice } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const shownTo = async (buyer: Buyer) => (await buyer.browser.get('/api/account')).body.subscriptions[0]

/** A buyer who approves the first payment on PayPal's page; `complete_once`: PayPal refuses every later one. */
async function paidByPaypal(product: 'trial_5' | 'monthly', answer: 'complete' | 'complete_once'): Promise<Buyer> {
  const buyer = await world.buyer()
  const { body } = await buyer.open(product, 'paypal')
  await world.paypal(body, answer)
  expect((await buyer.finalize(body.paymentIntentId)).status).toBe(200)
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
  return buyer
}

/** Saves a card on the page; `owed`: the sum in cents that the page names. */
async function saveCard(buyer: Buyer, id: string, owed?: number) {
  const setup = (await buyer.browser.post(`/api/subscriptions/${id}/card/setup`)).body
  await world.confirmSetup(setup, 'pm_card_mastercard')
  const { setupIntentId } = setup
  return (await buyer.browser.post(`/api/subscriptions/${id}/card`, { setupIntentId, owed })).body
}

test('A-05 P-07 from PayPal to a card: the page shows it, and the first try of the renewal charges it', async () => {
  const buyer = await paidByPaypal('trial_5', 'complete')
  const mine = () => shownTo(buyer)
  const { id, paidWith } = await eventually(mine, ({ state }) => state === 'trial')
  expect(paidWith).toEqual({ type: 'paypal' })
  expect(await saveCard(buyer, id)).toMatchObject({
    result: 'saved',
    subscription: { paidWith: { brand: 'mastercard' } },
  })
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

test.each([
  ['trial_5', 3.1, 500],
  ['monthly', 30.1, 3900],
] as const)('A-05 P-07 H-01 a renewal that PayPal has refused is paid by a card: %s', async (product, days, first) => {
  const buyer = await paidByPaypal(product, 'complete_once')
  await eventually(
    () => shownTo(buyer),
    ({ paidWith }) => paidWith?.type === 'paypal',
  )
  await world.days(days)
  const { id, owed } = await eventually(
    () => shownTo(buyer),
    ({ state }) => state === 'late',
  )
  expect(await saveCard(buyer, id, owed)).toMatchObject({
    result: 'paid',
    subscription: { state: 'active', owed: null, paidWith: { brand: 'mastercard' } },
  })
  expect(await chargedTo(world, buyer)).toEqual([3900, first])
})

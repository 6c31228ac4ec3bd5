/** What is owed, paid with a card whose bank asks its owner to confirm every payment. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Buyer, chargedTo, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
let buyer: Buyer
let subscriptionId: string
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())
beforeEach(async () => {
  buyer = await world.member()
  const { stripe_subscription_id, stripe_customer_id } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  const customer = stripe_customer_id ?? ''
  const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', { customer })
  await world.dashboard('POST', `/v1/subscriptions/${stripe_subscription_id}`, { default_payment_method: bad.id })
  await world.days(3.1)
  await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'past_due',
  )
  subscriptionId = (await buyer.browser.get('/api/account')).body.subscriptions[0].id
})

const charged = () => chargedTo(world, buyer)

/** A card that asks every time is set up, with its owner's consent, and saved. */
async function save(): Promise<{ setupIntentId: string; saved: Record<string, unknown> }> {
  const setup = (await buyer.browser.post(`/api/subscriptions/${subscriptionId}/card/setup`)).body
  await world.confirmSetup(setup, 'pm_card_authenticationRequired')
  await world.authenticate({ paymentIntentId: setup.setupIntentId, clientSecret: setup.clientSecret }, 'complete')
  return { setupIntentId: setup.setupIntentId, saved: await again(setup.setupIntentId) }
}
const again = async (setupIntentId: string) =>
  (await buyer.browser.post(`/api/subscriptions/${subscriptionId}/card`, { setupIntentId, owed: 3900 })).body

const intentOf = (secret: unknown) => {
  const clientSecret = String(secret)
  return { clientSecret, paymentIntentId: clientSecret.split('_secret_')[0] ?? '' }
}

test('A-05 H-01 a debt that the bank wants confirmed is paid once its owner has confirmed it', async () => {
  const { setupIntentId, saved } = await save()
  expect(saved).toMatchObject({ result: 'owed', clientSecret: expect.stringContaining('_secret_') as string })
  expect(await charged()).toEqual([100])
  await world.authenticate(intentOf(saved['clientSecret']), 'complete')
  expect(await again(setupIntentId)).toMatchObject({ clientSecret: null, subscription: { state: 'active' } })
  expect(await charged()).toEqual([3900, 100])
})

test('A-05 H-01 who does not confirm it owes it still, and may confirm it later', async () => {
  const { setupIntentId, saved } = await save()
  await world.authenticate(intentOf(saved['clientSecret']), 'fail')
  const second = await again(setupIntentId)
  expect(second).toMatchObject({ result: 'owed', subscription: { state: 'late', owed: 3900 } })
  // left open: another press asks again
  const third = await again(setupIntentId)
  expect(await charged()).toEqual([100])
  await world.authenticate(intentOf(third.clientSecret), 'complete')
  expect(await again(setupIntentId)).toMatchObject({ clientSecret: null, subscription: { state: 'active' } })
  expect(await charged()).toEqual([3900, 100])
})

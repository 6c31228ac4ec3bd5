/** The page for another card that stayed open while a charge failed: what it said is what saving the card does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buyer, chargedTo, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const charged = (buyer: Buyer) => chargedTo(world, buyer)

test('H-01 A-05 “Saving a card charges nothing” is so, also after a charge failed meanwhile', async () => {
  const buyer = await world.member()
  const { stripe_subscription_id, stripe_customer_id } = await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'trialing',
  )
  const customer = stripe_customer_id ?? ''
  const bad = await world.dashboard('POST', '/v1/payment_methods/pm_card_chargeCustomerFail/attach', { customer })
  await world.dashboard('POST', `/v1/subscriptions/${stripe_subscription_id}`, { default_payment_method: bad.id })
  const [shown] = (await buyer.browser.get('/api/account')).body.subscriptions
  expect(shown.owed).toBeNull()
  await world.days(3.1)
  await eventually(
    () => subscriptionRow(world, buyer),
    ({ status }) => status === 'past_due',
  )
  const save = async (owed: number | null) => {
    const setup = (await buyer.browser.post(`/api/subscriptions/${shown.id}/card/setup`)).body
    await world.confirmSetup(setup, 'pm_card_visa')
    const { setupIntentId } = setup
    return (await buyer.browser.post(`/api/subscriptions/${shown.id}/card`, { setupIntentId, owed })).body
  }
  const saved = await save(shown.owed)
  expect(await charged(buyer)).toEqual([100])
  expect(saved).toMatchObject({ result: 'unasked', subscription: { state: 'late', owed: 3900 } })
  // the card counts from now on; what the page now shows is paid with the next press
  expect(saved.subscription.paidWith).toMatchObject({ brand: 'visa', last4: '4242' })
  expect(await save(saved.subscription.owed)).toMatchObject({ result: 'paid', subscription: { state: 'active' } })
  expect(await charged(buyer)).toEqual([3900, 100])
})

/** H-02, H-04: a withdrawal that is sent while another order of the visit is on its way ends what that starts, too. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { exitsOf } from './exits.ts'
import { browserOf, type Membership, startMembership, tokenOf } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)

/** A buyer in Germany who has bought a reading, and has a link that withdraws from it. */
async function reader(email: string) {
  const buyer = await world.buyer(email, 'DE')
  await buyer.pay('reading_7_days')
  const { data } = await world.mail(email, 'one_time_receipt')
  return { buyer, token: tokenOf(data.withdrawUrl ?? '') }
}

const withdraw = (token: string) => browserOf(world).post('/api/links/withdraw', { token })

test('H-02 H-04 paid with PayPal, not heard of here yet, and withdrawn by the link of an earlier receipt', async () => {
  const { buyer, token } = await reader('meanwhile@example.com')
  await world.silence()
  const order = await buyer.open('trial_1', 'paypal')
  await world.paypal(order.body)
  await world.hear()
  expect((await withdraw(token)).status).toBe(200)
  await buyer.finalize(order.body.paymentIntentId)
  const { data } = await world.mail('meanwhile@example.com', 'order_confirmation')
  expect(data.next).toBeNull()
  const row = await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  expect([row.cancel_at_period_end, row.next_charge_at]).toEqual([true, null])
})

test('H-02 what is paid after a withdrawal is an order like any other, also on a page opened before', async () => {
  const { buyer, token } = await reader('after@example.com')
  const order = await buyer.open('trial_1')
  expect((await withdraw(token)).status).toBe(200)
  // the bank's time is in whole seconds
  await new Promise((resume) => setTimeout(resume, 1_100))
  await world.confirm(order.body)
  await buyer.finalize(order.body.paymentIntentId)
  const { data } = await world.mail('after@example.com', 'order_confirmation')
  expect(data.next?.amount).toBe(3900)
})

test('H-04 a withdrawal by the form whose subscription has ended cannot be taken back, and says so', async () => {
  const email = 'too-late@example.com'
  const exits = exitsOf(world)
  const buyer = await world.buyer(email, 'DE')
  await buyer.pay('trial_1')
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  // the bill of the first full period is drawn, and not collected yet
  await world.days(3 + 1 / 48)
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'active',
  )
  await exits.leave(email, { kind: 'withdraw', contract: 'everything' })
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'canceled',
  )
  expect((await exits.takeBack(email)).body.state).toBe('over')
})

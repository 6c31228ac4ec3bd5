/** A subscription whose charge has failed, changed in the dashboard meanwhile: an end is set, or free time is given. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SubscriptionView } from '../../contract/members.ts'
import { type Buyer, paymentsOf, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)
const shown = async (buyer: Buyer) =>
  (await buyer.browser.get('/api/account')).body.subscriptions[0] as SubscriptionView
const seen = (buyer: Buyer, wanted: (view: SubscriptionView) => boolean) => eventually(() => shown(buyer), wanted)

async function inDashboard(buyer: Buyer, form: Record<string, string>): Promise<void> {
  await world.dashboard('POST', `/v1/subscriptions/${(await rowOf(buyer)).stripe_subscription_id}`, form)
}

/** From now on this card is charged. */
async function useCard(buyer: Buyer, card: string): Promise<void> {
  const customer = (await rowOf(buyer)).stripe_customer_id ?? ''
  const { id } = await world.dashboard('POST', `/v1/payment_methods/${card}/attach`, { customer })
  await inDashboard(buyer, { default_payment_method: id })
}

async function late(email: string): Promise<Buyer> {
  const buyer = await world.member({ email })
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  await useCard(buyer, 'pm_card_chargeCustomerFail')
  await world.days(3.1)
  await seen(buyer, ({ state }) => state === 'late')
  return buyer
}

test('H-04 A-06 cancelled in the dashboard while a charge has failed: it is confirmed, and can be kept', async () => {
  const email = 'late-and-leaving@example.com'
  const buyer = await late(email)
  await inDashboard(buyer, { cancel_at_period_end: 'true' })
  const leaving = await seen(buyer, ({ keepable }) => keepable)
  expect([leaving.state, leaving.accessUntil]).toEqual(['late', expect.any(String)])
  const { data } = await world.mail(email, 'cancellation_confirmed')
  expect(data).toMatchObject({ over: false, last: { amount: 3900, added: false } })
  const kept = await buyer.browser.post(`/api/subscriptions/${leaving.id}/keep`)
  expect([kept.status, kept.body.state, kept.body.keepable]).toEqual([200, 'late', false])
  expect((await rowOf(buyer)).cancel_at_period_end).toBe(false)
  await world.mail(email, 'cancellation_undone')
})

test('P-10 A-06 given free time while a charge has failed: what Stripe still collects is on record', async () => {
  const buyer = await late('late-and-free@example.com')
  const end = Math.floor(((await rowOf(buyer)).trial_end?.getTime() ?? 0) / 1000) + 20 * 86_400
  await inDashboard(buyer, { trial_end: String(end), proration_behavior: 'none' })
  await eventually(
    () => rowOf(buyer),
    ({ status }) => status === 'trialing',
  )
  await useCard(buyer, 'pm_card_visa')
  await world.days(2.1)
  const renewals = async () => (await paymentsOf(world, buyer)).filter(({ purpose }) => purpose.startsWith('renewal:'))
  expect(await eventually(renewals, ({ length }) => length === 1)).toMatchObject([{ amount_cents: 3900 }])
  const reminded = await sql<{ at: string }>`select payload ->> 'chargeAt' as at from outbox
    where session_id = ${buyer.sessionId} and kind = 'mail:trial_ends' order by id desc limit 1`.execute(world.db)
  expect(Date.parse(reminded.rows[0]?.at ?? '')).toBeGreaterThanOrEqual(end * 1000)
})

/** H-01, H-03: a new price in the catalogue is for new orders; an order placed before is charged as it was shown. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product } from '../../contract/catalogue.ts'
import { type Buyer, subscriptionRow } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

const [OLD, NEW] = [3500, product('monthly').price]
let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

/** What the release before, which sold at $35, has left of an open order: the agreement, as its page showed it. */
async function placedBefore(intentId: string): Promise<void> {
  await sql`
    with older as (
      insert into agreements (session_id, payment_intent_id, words, version, page, amounts)
      select session_id, payment_intent_id, words, version, page, amounts || ${{ firstFullAmount: OLD }}::jsonb
      from agreements where payment_intent_id = ${intentId} returning id
    ) update payment_intents set agreement_id = older.id from older where stripe_intent_id = ${intentId}`.execute(
    world.db,
  )
}

const rowOf = (buyer: Buyer) => subscriptionRow(world, buyer)

/** What the buyer's bank shows. */
async function chargesOf(buyer: Buyer): Promise<number[]> {
  const { data } = await world.dashboard('GET', '/v1/charges', {
    customer: (await rowOf(buyer)).stripe_customer_id ?? '',
  })
  return (data as { amount: number }[]).map(({ amount }) => amount).reverse()
}

test.each([
  ['a card', 'card'],
  ['PayPal', 'paypal'],
] as const)('H-01 H-03 P-13 ordered with %s before the price rose, settled after it', async (_, method) => {
  const [email, later] = [`before-${method}@example.com`, `after-${method}@example.com`]
  const [buyer, other] = [await world.buyer(email), await world.buyer(later)]
  const opened = await buyer.open('trial_1', method)
  expect(opened.status).toBe(200)
  await placedBefore(opened.body.paymentIntentId)
  if (method === 'card') await world.confirm(opened.body)
  else await world.paypal(opened.body)
  expect((await buyer.finalize(opened.body.paymentIntentId)).status).toBe(200)
  await other.pay('trial_1')
  expect((await world.mail(email, 'order_confirmation')).data.next?.amount).toBe(OLD)
  expect((await world.mail(later, 'order_confirmation')).data.next?.amount).toBe(NEW)

  for (const one of [buyer, other])
    await eventually(
      () => rowOf(one),
      ({ status }) => status === 'trialing',
    )
  await world.days(3 + 1 / 12)
  for (const [one, price] of [
    [buyer, OLD],
    [other, NEW],
  ] as const) {
    const charges = await eventually(
      () => chargesOf(one),
      (list) => list.length > 1,
    )
    expect(charges).toEqual([100, price])
  }
  for (const address of [email, later]) {
    expect((await world.mails(address)).map(({ kind }) => kind)).not.toContain('price_changed')
  }
})

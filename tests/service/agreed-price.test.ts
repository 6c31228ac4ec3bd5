/** H-01, H-03: a new price in the catalogue is for new orders; an order placed before is charged as it was shown. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { setUpCatalogue } from '../../payments-service/stripe/setup.ts'
import type { Buyer } from './funnel.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

const [OLD, NEW] = [3900, 4500]
const monthly = vi.hoisted(() => ({ price: 3900 }))
vi.mock(import('../../contract/catalogue.ts'), async (original) => {
  const { product, ...rest } = await original()
  return { ...rest, product: (id) => (id === 'monthly' ? { ...product(id), ...monthly } : product(id)) }
})

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

/** A release with another price is rolled out, and its `npm run stripe:setup` has run. */
async function release(price: number): Promise<void> {
  monthly.price = price
  expect(await setUpCatalogue(world.config.stripe)).toEqual(['monthly'])
}

const rowOf = ({ sessionId }: Buyer) =>
  world.db.selectFrom('subscriptions').selectAll().where('session_id', '=', sessionId).executeTakeFirstOrThrow()

test.each([
  ['a card', 'card'],
  ['PayPal', 'paypal'],
] as const)('H-01 H-03 P-13 ordered with %s before the price rose, settled after it', async (_, method) => {
  const [email, later] = [`before-${method}@example.com`, `after-${method}@example.com`]
  const buyer = await world.buyer(email)
  const opened = await buyer.open('trial_1', method)
  expect(opened.status).toBe(200)
  await release(NEW)
  try {
    if (method === 'card') await world.confirm(opened.body)
    else await world.paypal(opened.body)
    expect((await buyer.finalize(opened.body.paymentIntentId)).status).toBe(200)
    const { data } = await world.mail(email, 'order_confirmation')
    expect(data.next?.amount).toBe(OLD)
    const other = await world.buyer(later)
    await other.pay('trial_1')
    expect((await world.mail(later, 'order_confirmation')).data.next?.amount).toBe(NEW)

    const charged = async (who: Buyer) => {
      await eventually(
        () => rowOf(who),
        ({ status }) => status === 'trialing',
      )
      return (await rowOf(who)).stripe_customer_id ?? ''
    }
    const customers = [await charged(buyer), await charged(other)]
    await world.days(3 + 1 / 12)
    const charges = await Promise.all(
      customers.map((customer) =>
        eventually(
          async () => {
            const { data } = await world.dashboard('GET', '/v1/charges', { customer })
            return (data as { amount: number }[]).map(({ amount }) => amount).reverse()
          },
          (list) => list.includes(OLD) || list.includes(NEW),
        ),
      ),
    )
    expect(charges).toEqual([
      [100, OLD],
      [100, NEW],
    ])
    for (const address of [email, later]) {
      expect((await world.mails(address)).map(({ kind }) => kind)).not.toContain('price_changed')
    }
  } finally {
    await release(OLD)
  }
})

/** The day that a page promises is the day on which the bank is asked, in any zone and at any hour. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayIn } from '../../contract/terms.ts'
import { orderOf } from '../support/order.ts'
import { type Membership, startMembership } from './membership.ts'

let world: Membership
beforeAll(async () => (world = await startMembership()))
afterAll(() => world.stop())

/** All whole offsets: 26 zones cover every hour of the day, whenever the tests run. */
const ZONES = Array.from({ length: 26 }, (_, index) => index - 11).map((ahead) =>
  ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`,
)
const MINUTE = 60_000

const PRODUCTS = ['trial_1', 'special_offer', 'monthly'] as const

/** What the page says of the first full charge, in every zone, just before this buyer pays. */
async function buys(product: (typeof PRODUCTS)[number]) {
  const buyer = await world.buyer(`day-${product}@example.com`)
  const promised = await Promise.all(
    ZONES.map(async (timeZone) => {
      const { shown, ...rest } = orderOf(product, { paymentMethodType: 'card' })
      const wrong = { ...rest, shown: { ...shown, now: shown.now - 1, timeZone } }
      const refused = await buyer.browser.post(buyer.path('/payments/initial'), wrong)
      return { zone: timeZone, on: refused.body.error.terms.firstFull.on as string }
    }),
  )
  // three for an hour of each day
  expect(new Set(promised.map(({ on }) => on)).size, 'calendar days at once').toBeGreaterThan(1)
  await buyer.pay(product)
  const { stripe_customer_id: customer } = await world.db
    .selectFrom('subscriptions')
    .select('stripe_customer_id')
    .where('session_id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  return { product, customer, promised }
}

test('H-01 O-03 the promised day is the day of the charge at every hour of the day', async () => {
  const orders = []
  for (const product of PRODUCTS) orders.push(await buys(product))
  await world.days(31.5)
  const { data } = await world.control('GET', 'objects?kind=charge&limit=1000')
  const charges = data as { customer: string; created: number; amount: number }[]
  for (const { product, customer, promised } of orders) {
    const full = charges.filter((charge) => charge.customer === customer && charge.amount === 3900)
    // for the monthly product, the first month paid is the first of the two
    expect(full, product).toHaveLength(product === 'monthly' ? 2 : 1)
    const charged = Math.max(...full.map(({ created }) => created)) * 1000
    const dayAt = (zone: string, shift = 0) => dayIn(new Date(charged + shift * MINUTE), zone)
    // a page that is opened moments before midnight may name the day before
    const checked = promised.filter(({ zone }) => dayAt(zone, -2) === dayAt(zone, 2))
    expect(checked.length).toBeGreaterThan(23)
    expect(checked, product).toEqual(checked.map(({ zone }) => ({ zone, on: dayAt(zone) })))
  }
})

/** P-09: a trial or an add-on whose price is missing at Stripe, or differs there, is never charged at a guess. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product, type ProductId } from '../../contract/catalogue.ts'
import { orderOf } from '../support/order.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })), 120_000)
afterAll(() => funnel.stop())

const REFUSED = {
  status: 502,
  body: { error: { code: 'price_not_found', message: 'Product price not found and no fallback available.' } },
}

/** Someone changes or removes a price in the dashboard. */
async function reprice(id: ProductId, amount: number | null): Promise<void> {
  const { lookupKey } = product(id)
  const { data } = await funnel.dashboard('GET', '/v1/prices', { 'lookup_keys[0]': lookupKey })
  await funnel.dashboard('POST', `/v1/prices/${data[0].id}`, { active: 'false' })
  if (amount === null) return
  await funnel.dashboard('POST', '/v1/prices', {
    product: data[0].product,
    currency: 'usd',
    unit_amount: String(amount),
    lookup_key: lookupKey,
    transfer_lookup_key: 'true',
  })
}

test('P-09 P-13 a trial without a price, or not at the listed one, opens nothing; at that it does again', async () => {
  const buyer = await funnel.buyer()
  const before = await funnel.totals()
  for (const amount of [null, 501]) {
    await reprice('trial_5', amount)
    expect(await buyer.open('trial_5'), String(amount)).toMatchObject(REFUSED)
  }
  expect(await funnel.totals()).toMatchObject({ charges_succeeded: before.charges_succeeded })
  const intents = await funnel.db
    .selectFrom('payment_intents')
    .select('stripe_intent_id')
    .where('session_id', '=', buyer.sessionId)
    .execute()
  expect(intents).toEqual([])
  await reprice('trial_5', 500)
  expect((await buyer.open('trial_5')).status).toBe(200)
})

test('P-09 U-03 an add-on without a price, or at another than the page’s, is not charged', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay('trial_1')
  const before = await funnel.totals()
  await reprice('bundle', 1)
  await reprice('guide_habits', null)
  for (const id of ['bundle', 'guide_habits']) {
    expect(await buyer.browser.post(buyer.path('/upsells'), orderOf(id)), id).toMatchObject(REFUSED)
  }
  expect((await funnel.totals()).charges_succeeded).toBe(before.charges_succeeded)
  expect((await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices'))).body.status).toBe('succeeded')
})

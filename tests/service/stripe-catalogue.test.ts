/** P-13: one command creates and updates the catalogue in a Stripe account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { setUpCatalogue } from '../../payments-service/stripe/setup.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })), 120_000)
afterAll(() => funnel.stop())

const atStripe = (id: string) => funnel.dashboard('GET', `/v1/products/funnel_${id}`)

test('P-13 every product has its name and a description of its own kind; a second run changes nothing', async () => {
  const descriptions = new Map<string, string>()
  for (const id of PRODUCT_IDS) {
    const found = await atStripe(id)
    expect(found).toMatchObject({ name: product(id).name, active: true, metadata: { product_id: id } })
    expect(found.description, id).toMatch(/^[A-Z0-9].{20,}$/)
    descriptions.set(id, found.description)
  }
  // tiers of one trial and packages of one reading share a description; everything else has its own
  expect(new Set(descriptions.values()).size).toBe(PRODUCT_IDS.length - 3 - 3)
  expect(await setUpCatalogue(funnel.config.stripe)).toEqual([])
})

test('P-13 a description that is missing or was changed in the dashboard is put right, and nothing else', async () => {
  const before = await atStripe('bundle')
  await funnel.dashboard('POST', '/v1/products/funnel_bundle', { description: 'Something else' })
  expect(await setUpCatalogue(funnel.config.stripe)).toEqual(['bundle'])
  expect((await atStripe('bundle')).description).toBe(before.description)
})

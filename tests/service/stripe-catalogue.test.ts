/** P-13: one command creates and updates the catalogue in a Stripe account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { domainOf, registerSite } from '../../payments-service/stripe/domains.ts'
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

test('C-13 P-13 the domain of the site is registered once, and switched on where it was off', async () => {
  const { stripe } = funnel.config
  const registered = async () => (await funnel.dashboard('GET', '/v1/payment_method_domains')).data
  const said = 'Apple Pay may appear at shop.example'
  expect(await registerSite(stripe, 'https://shop.example')).toBe(said)
  expect(await registerSite(stripe, 'https://shop.example')).toBe(said)
  const [domain, ...others] = await registered()
  expect([domain.domain_name, domain.enabled, others]).toEqual(['shop.example', true, []])
  await funnel.dashboard('POST', `/v1/payment_method_domains/${domain.id}`, { enabled: 'false' })
  expect(await registerSite(stripe, 'https://shop.example')).toBe(said)
  expect(await registered()).toEqual([domain])
})

test('C-13 P-13 an address that cannot be verified from outside is not registered, and the setup says so', async () => {
  for (const url of ['http://localhost:4321', 'https://localhost:4321', 'https://a.localhost', 'http://shop.example'])
    expect(domainOf(url), url).toBeNull()
  for (const url of ['https://10.0.0.1', 'https://[::1]:4321', 'shop.example']) expect(domainOf(url), url).toBeNull()
  expect(domainOf('https://www.shop.example:8443')).toBe('www.shop.example')
  const none = 'No domain to register for Apple Pay: SITE_URL is '
  expect(await registerSite(funnel.config.stripe, 'http://localhost:4321')).toBe(`${none}http://localhost:4321`)
  expect(await registerSite(funnel.config.stripe)).toBe(`${none}not set`)
})

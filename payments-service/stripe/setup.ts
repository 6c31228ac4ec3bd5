/**
 * P-13: the catalogue in a Stripe account: one product per product id, one price per lookup key.
 * Idempotent; a changed price gets a new Stripe price, and the lookup key moves to it.
 */
import type Stripe from 'stripe'
import { product, PRODUCT_IDS, type Product, type ProductId } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import type { StripeAccount } from '../config.ts'
import { RECURRING, stripeProductId } from './account.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { createSdk } from './sdk.ts'

/**
 * Creates what is missing, moves lookup keys of changed prices. Returns the ids of the
 * products it changed something for.
 */
export async function setUpCatalogue(config: StripeAccount): Promise<ProductId[]> {
  const sdk = createSdk(config)
  const changed: ProductId[] = []
  const waiting = [...PRODUCT_IDS]
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id; id = waiting.shift()) {
      const entry = product(id)
      const made = await ensureProduct(sdk, entry)
      const priced = await ensurePrice(sdk, entry)
      if (made || priced) changed.push(id)
    }
  }
  // a few at a time: Stripe's test mode allows about 25 calls a second
  await Promise.all(Array.from({ length: 4 }, work))
  return changed
}

async function ensureProduct(sdk: Stripe, entry: Product): Promise<boolean> {
  const id = stripeProductId(entry.id)
  const found = await sdk.products.retrieve(id).catch((error: { code?: string }) => {
    if (error.code === 'resource_missing') return undefined
    throw error
  })
  const description = DESCRIPTIONS[entry.id]
  if (found?.name === entry.name && found.description === description && found.active) return false
  const values = { name: entry.name, description, metadata: { product_id: entry.id, kind: entry.kind } }
  if (found) await sdk.products.update(id, { ...values, active: true })
  else await sdk.products.create({ id, ...values }).catch(ignoreExisting)
  return true
}

/** Two services that start at once both find it missing. */
function ignoreExisting(error: { code?: string }): void {
  if (error.code !== 'resource_already_exists') throw error
}

/** The catalogue's products whose price in the account is missing or another one. Changes nothing. */
export async function wrongPrices(config: StripeAccount): Promise<ProductId[]> {
  const sdk = createSdk(config)
  // Stripe takes ten keys a call: https://docs.stripe.com/api/prices/list#list_prices-lookup_keys
  const pages = Array.from({ length: Math.ceil(PRODUCT_IDS.length / 10) }, (_, n) =>
    PRODUCT_IDS.slice(n * 10, n * 10 + 10).map((id) => product(id).lookupKey),
  )
  const found = await Promise.all(pages.map((keys) => sdk.prices.list({ active: true, limit: 100, lookup_keys: keys })))
  const prices = found.flatMap(({ data }) => data)
  return PRODUCT_IDS.filter((id) => {
    const entry = product(id)
    const price = prices.find(({ lookup_key }) => lookup_key === entry.lookupKey)
    return !isRight(price, entry)
  })
}

function isRight(found: Stripe.Price | undefined, entry: Product): boolean {
  return (
    found?.unit_amount === entry.price &&
    found.currency === CURRENCY &&
    (entry.kind === 'monthly'
      ? found.recurring?.interval === RECURRING.interval && found.recurring.interval_count === RECURRING.interval_count
      : found.recurring === null)
  )
}

async function ensurePrice(sdk: Stripe, entry: Product): Promise<boolean> {
  const { data } = await sdk.prices.list({ lookup_keys: [entry.lookupKey], active: true, limit: 1 })
  const found = data[0]
  if (isRight(found, entry)) return false
  const renews = entry.kind === 'monthly'
  await sdk.prices.create(
    {
      product: stripeProductId(entry.id),
      currency: CURRENCY,
      unit_amount: entry.price,
      lookup_key: entry.lookupKey,
      transfer_lookup_key: true,
      metadata: { product_id: entry.id },
      ...(renews ? { recurring: RECURRING } : {}),
    },
    // two services that start at once make one price
    { idempotencyKey: `setup:${entry.lookupKey}:${entry.price}:${found?.id ?? 'first'}` },
  )
  return true
}

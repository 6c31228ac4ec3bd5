// Products and prices.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid, missing, StripeFail } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { newId, letters } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'

const strings = { type: 'array', items: { type: 'string' } }

function createProduct(tx: Tx, params: Stripe.ProductCreateParams): Stripe.Product {
  const id = params.id ?? `prod_${letters(14)}`
  if (tx.state.find(id)) {
    throw new StripeFail(400, {
      type: 'invalid_request_error',
      code: 'resource_already_exists',
      message: `Product already exists.`,
      param: 'id',
    })
  }
  const now = tx.now()
  const product = tx.put<Stripe.Product>({
    id,
    object: 'product',
    active: params.active ?? true,
    created: now,
    default_price: null,
    description: params.description ?? null,
    images: params.images ?? [],
    livemode: false,
    marketing_features: (params.marketing_features ?? []).map(({ name }) => ({ name })),
    metadata: metadata({}, params.metadata),
    name: params.name,
    package_dimensions: params.package_dimensions ?? null,
    shippable: params.shippable ?? null,
    statement_descriptor: params.statement_descriptor ?? null,
    tax_code: params.tax_code ?? null,
    tax_details: null,
    type: params.type ?? 'service',
    unit_label: params.unit_label ?? null,
    updated: now,
    url: params.url ?? null,
  })
  tx.emit('product.created', product)
  return product
}

route<Stripe.ProductCreateParams>('POST', '/v1/products', 'ProductCreateParams', ({ tx }, params) => {
  let product = createProduct(tx, params)
  if (params.default_price_data) {
    const data = params.default_price_data
    const price = createPrice(tx, {
      currency: data.currency,
      product: product.id,
      ...(data.unit_amount === undefined ? {} : { unit_amount: data.unit_amount }),
      ...(data.recurring === undefined ? {} : { recurring: data.recurring }),
    })
    product = tx.change(product, { default_price: price.id })
  }
  return product
})
route('GET', '/v1/products/:id', fields({}), ({ tx, path }) => tx.need('product', path['id'] ?? ''))
route<Stripe.ProductUpdateParams>(
  'POST',
  '/v1/products/:id',
  fields({
    active: 'boolean',
    default_price: 'string',
    description: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    images: strings,
    metadata: 'MetadataParam',
    name: 'string',
    shippable: 'boolean',
    statement_descriptor: 'string',
    tax_code: 'string',
    unit_label: 'string',
    url: 'string',
    marketing_features: { type: 'array', items: { $ref: '#/$defs/ProductCreateParams.MarketingFeature' } },
  }),
  ({ tx, path }, { metadata: patch, expand: _, ...rest }) => {
    const old = tx.need('product', path['id'] ?? '')
    if (rest.default_price) tx.need('price', rest.default_price, 'default_price')
    const product = tx.change(old, {
      ...(rest as Partial<Stripe.Product>),
      metadata: metadata(old.metadata, patch),
      updated: tx.now(),
    })
    tx.emit('product.updated', product, previous(old, product))
    return product
  },
)
route('DELETE', '/v1/products/:id', fields({}), ({ tx, path }) => {
  const product = tx.need('product', path['id'] ?? '')
  if (tx.all('price').some((price) => idOf(price.product) === product.id)) {
    throw invalid('This product cannot be deleted because it has one or more user-created prices.')
  }
  tx.hide(product.id, { deleted: true })
  tx.emit('product.deleted', product)
  return { id: product.id, object: 'product', deleted: true }
})
route<Paging & { active?: boolean; ids?: string[]; shippable?: boolean; url?: string; type?: string }>(
  'GET',
  '/v1/products',
  listing({ active: 'boolean', ids: strings, shippable: 'boolean', url: 'string', type: 'string' }),
  ({ tx }, params) =>
    page(
      tx,
      'product',
      params,
      '/v1/products',
      (one) =>
        (params.active === undefined || one.active === params.active) && (!params.ids || params.ids.includes(one.id)),
    ),
)

function freeLookupKey(tx: Tx, key: string, transfer: boolean | undefined, self?: string): void {
  const holder = tx.all('price').find((price) => price.lookup_key === key && price.id !== self)
  if (!holder) return
  if (!transfer) {
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      code: 'resource_already_exists',
      param: 'lookup_key',
    })
  }
  tx.emit('price.updated', tx.change(holder, { lookup_key: null }), { lookup_key: key })
}

function createPrice(tx: Tx, params: Stripe.PriceCreateParams): Stripe.Price {
  let product = params.product
  if (params.product_data) {
    const { name, metadata: data } = params.product_data
    product = createProduct(tx, {
      name,
      ...(data ? { metadata: data } : {}),
      ...(params.product_data.id ? { id: params.product_data.id } : {}),
    }).id
  }
  if (product === undefined) {
    throw new StripeFail(400, {
      type: 'invalid_request_error',
      code: 'parameter_missing',
      message: 'Missing required param: product.',
      param: 'product',
    })
  }
  if (!tx.get('product', product)) throw missing('product', product, 'product')
  const amount =
    params.unit_amount ?? (params.unit_amount_decimal === undefined ? null : Number(params.unit_amount_decimal))
  if (amount === null && !params.custom_unit_amount) {
    throw invalid('Prices require an `unit_amount` or `unit_amount_decimal` parameter to be set.', {
      code: 'parameter_missing',
      param: 'unit_amount',
    })
  }
  if (amount !== null && amount < 0)
    throw invalid('This value must be greater than or equal to 0.', {
      code: 'parameter_invalid_integer',
      param: 'unit_amount',
    })
  if (params.lookup_key) freeLookupKey(tx, params.lookup_key, params.transfer_lookup_key)
  const price = tx.put<Stripe.Price>({
    id: newId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: tx.now(),
    currency: params.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: metadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product,
    recurring: params.recurring
      ? {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: params.recurring ? 'recurring' : 'one_time',
    unit_amount: amount === null ? null : Math.round(amount),
    unit_amount_decimal: (amount === null ? null : String(amount)) as unknown as Stripe.Decimal,
  })
  tx.emit('price.created', price)
  return price
}

route<Stripe.PriceCreateParams>('POST', '/v1/prices', 'PriceCreateParams', ({ tx }, params) => createPrice(tx, params))
route('GET', '/v1/prices/:id', fields({}), ({ tx, path }) => tx.need('price', path['id'] ?? ''))
route<Stripe.PriceUpdateParams>(
  'POST',
  '/v1/prices/:id',
  fields({
    active: 'boolean',
    lookup_key: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    metadata: 'MetadataParam',
    nickname: 'string',
    tax_behavior: 'string',
    transfer_lookup_key: 'boolean',
  }),
  ({ tx, path }, { metadata: patch, expand: _, transfer_lookup_key, ...rest }) => {
    const old = tx.need('price', path['id'] ?? '')
    if (rest.lookup_key) freeLookupKey(tx, rest.lookup_key, transfer_lookup_key, old.id)
    const price = tx.change(old, { ...(rest as Partial<Stripe.Price>), metadata: metadata(old.metadata, patch) })
    tx.emit('price.updated', price, previous(old, price))
    return price
  },
)
type PriceList = Paging & {
  active?: boolean
  currency?: string
  lookup_keys?: string[]
  product?: string
  type?: string
  recurring?: { interval?: string }
}
route<PriceList>(
  'GET',
  '/v1/prices',
  listing({
    active: 'boolean',
    currency: 'string',
    lookup_keys: strings,
    product: 'string',
    type: 'string',
    recurring: {
      type: 'object',
      properties: { interval: { type: 'string' }, meter: { type: 'string' }, usage_type: { type: 'string' } },
    },
  }),
  ({ tx }, params) => {
    if ((params.lookup_keys?.length ?? 0) > 10)
      throw invalid('You may only specify up to 10 lookup keys.', { param: 'lookup_keys' })
    return page(
      tx,
      'price',
      params,
      '/v1/prices',
      (one) =>
        (params.active === undefined || one.active === params.active) &&
        (params.currency === undefined || one.currency === params.currency) &&
        (params.product === undefined || idOf(one.product) === params.product) &&
        (params.type === undefined || one.type === params.type) &&
        (params.recurring?.interval === undefined || one.recurring?.interval === params.recurring.interval) &&
        (!params.lookup_keys || (one.lookup_key !== null && params.lookup_keys.includes(one.lookup_key))),
    )
  },
)

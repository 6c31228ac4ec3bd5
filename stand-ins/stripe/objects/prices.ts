// Prices and their lookup keys.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid, missing, StripeFail } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { newId } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'
import { createProduct } from './product-create.ts'

const strings = { type: 'array', items: { type: 'string' } }

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

/** Stores a price and emits `price.created`. */
export function createPrice(tx: Tx, params: Stripe.PriceCreateParams): Stripe.Price {
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

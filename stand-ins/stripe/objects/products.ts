// Products.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'
import { createPrice } from './prices.ts'
import { createProduct } from './product-create.ts'

const strings = { type: 'array', items: { type: 'string' } }

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

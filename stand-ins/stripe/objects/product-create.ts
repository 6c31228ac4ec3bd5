// Making a product, on its own or with a price.
import { type Stripe } from '../stripe-types.ts'
import { StripeFail } from '../http/errors.ts'
import { letters } from '../ids.ts'
import { type Tx } from '../state.ts'
import { metadata } from './metadata.ts'

/** Stores a product and emits `product.created`. Throws `resource_already_exists`. */
export function createProduct(tx: Tx, params: Stripe.ProductCreateParams): Stripe.Product {
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

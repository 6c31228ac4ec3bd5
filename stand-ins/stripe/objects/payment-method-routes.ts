// Endpoints of payment methods.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid, missing } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'
import { attach, createPaymentMethod, resolvePaymentMethod } from './payment-methods.ts'

route<Stripe.PaymentMethodCreateParams>(
  'POST',
  '/v1/payment_methods',
  'PaymentMethodCreateParams',
  ({ tx, browser }, params) => {
    if (params.type === undefined)
      throw invalid('Missing required param: type.', { code: 'parameter_missing', param: 'type' })
    return createPaymentMethod(tx, { ...params, type: params.type }, browser)
  },
  { browser: true },
)
route('GET', '/v1/payment_methods/:id', fields({}), ({ tx, path }) => tx.need('payment_method', path['id'] ?? ''))
route<Pick<Stripe.PaymentMethodUpdateParams, 'billing_details' | 'metadata' | 'allow_redisplay'>>(
  'POST',
  '/v1/payment_methods/:id',
  fields({
    allow_redisplay: 'string',
    billing_details: 'PaymentMethodCreateParams.BillingDetails',
    metadata: 'MetadataParam',
    card: { type: 'object', properties: { exp_month: { type: 'number' }, exp_year: { type: 'number' } } },
  }),
  ({ tx, path }, params) => {
    const old = tx.need('payment_method', path['id'] ?? '')
    const card = (params as { card?: { exp_month?: number; exp_year?: number } }).card
    const method = tx.change(old, {
      ...(params.billing_details
        ? { billing_details: { ...old.billing_details, ...(params.billing_details as object) } }
        : {}),
      ...(params.allow_redisplay ? { allow_redisplay: params.allow_redisplay } : {}),
      ...(card && old.card ? { card: { ...old.card, ...card } } : {}),
      metadata: metadata(old.metadata, params.metadata),
    })
    tx.emit('payment_method.updated', method, previous(old, method))
    return method
  },
)
route<Stripe.PaymentMethodAttachParams>(
  'POST',
  '/v1/payment_methods/:id/attach',
  'PaymentMethodAttachParams',
  ({ tx, path }, params) => {
    const method = resolvePaymentMethod(tx, path['id'] ?? '', 'payment_method')
    if (params.customer === undefined)
      throw invalid('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
    tx.need('customer', params.customer, 'customer')
    return attach(tx, method, params.customer)
  },
)
route('POST', '/v1/payment_methods/:id/detach', fields({}), ({ tx, path }) => {
  const old = tx.need('payment_method', path['id'] ?? '')
  if (old.customer === null) {
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.', {
      code: 'payment_method_unexpected_state',
    })
  }
  const method = tx.change(old, { customer: null })
  tx.hide(method.id, { used: true })
  tx.emit('payment_method.detached', method, { customer: old.customer })
  return method
})
type MethodList = Paging & { customer?: string; type?: string; allow_redisplay?: string }
route<MethodList>(
  'GET',
  '/v1/payment_methods',
  listing({ customer: 'string', type: 'string', allow_redisplay: 'string' }),
  ({ tx }, params) => {
    if (params.customer !== undefined) tx.need('customer', params.customer, 'customer')
    return page(
      tx,
      'payment_method',
      params,
      '/v1/payment_methods',
      (one) =>
        idOf(one.customer) === (params.customer ?? '') && (params.type === undefined || one.type === params.type),
    )
  },
)
route<MethodList>(
  'GET',
  '/v1/customers/:id/payment_methods',
  listing({ type: 'string', allow_redisplay: 'string' }),
  ({ tx, path }, params) => {
    const customer = tx.need('customer', path['id'] ?? '')
    return page(
      tx,
      'payment_method',
      params,
      `/v1/customers/${customer.id}/payment_methods`,
      (one) => idOf(one.customer) === customer.id && (params.type === undefined || one.type === params.type),
    )
  },
)
route('GET', '/v1/customers/:id/payment_methods/:pm', fields({}), ({ tx, path }) => {
  const method = tx.need('payment_method', path['pm'] ?? '', 'payment_method')
  if (idOf(method.customer) !== path['id']) throw missing('payment_method', method.id)
  return method
})

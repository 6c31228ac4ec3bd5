// Customers.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { letters } from '../ids.ts'
import { idOf } from '../types.ts'
import { metadata, previous } from './metadata.ts'
import { endSubscription } from './invoices.ts'
import { attach, resolvePaymentMethod } from './payment-methods.ts'

const EMPTY_ADDRESS: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}

function address(params: Stripe.AddressParam | null | undefined): Stripe.Address | null {
  return params ? ({ ...EMPTY_ADDRESS, ...params } as Stripe.Address) : null
}

function checkEmail(email: string | undefined): void {
  if (email !== undefined && email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' })
  }
}

route<Stripe.CustomerCreateParams>('POST', '/v1/customers', 'CustomerCreateParams', ({ tx }, params) => {
  checkEmail(params.email)
  const clock = params.test_clock ? tx.need('test_helpers.test_clock', params.test_clock, 'test_clock') : undefined
  const id = `cus_${letters(14)}`
  let customer = tx.put<Stripe.Customer>({
    id,
    object: 'customer',
    address: address(params.address as Stripe.AddressParam | null),
    balance: params.balance ?? 0,
    created: clock?.frozen_time ?? tx.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    invoice_prefix: params.invoice_prefix ?? letters(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: params.invoice_settings?.footer ?? null,
      rendering_options: null,
    },
    livemode: false,
    metadata: metadata({}, params.metadata),
    name: params.name ?? null,
    next_invoice_sequence: params.next_invoice_sequence ?? 1,
    phone: params.phone ?? null,
    preferred_locales: params.preferred_locales ?? [],
    shipping: (params.shipping || null) as Stripe.Customer.Shipping | null,
    tax_exempt: params.tax_exempt || 'none',
    test_clock: clock?.id ?? null,
  })
  tx.emit('customer.created', customer)
  const first = params.payment_method ?? params.invoice_settings?.default_payment_method
  if (first) {
    const method = attach(tx, resolvePaymentMethod(tx, first, 'payment_method'), id)
    if (params.invoice_settings?.default_payment_method) {
      customer = tx.change(customer, {
        invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
      })
    }
  }
  return customer
})

route('GET', '/v1/customers/:id', fields({}), ({ tx, path }) => {
  const id = path['id'] ?? ''
  if (tx.hidden(id).deleted) return { id, object: 'customer', deleted: true }
  return tx.need('customer', id)
})

route<Stripe.CustomerUpdateParams>('POST', '/v1/customers/:id', 'CustomerUpdateParams', ({ tx, path }, params) => {
  const old = tx.need('customer', path['id'] ?? '')
  checkEmail(params.email)
  const { metadata: patch, expand: _, invoice_settings: settings, address: place, shipping, ...rest } = params
  const preferred = settings?.default_payment_method
  if (preferred && idOf(tx.get('payment_method', preferred)?.customer ?? null) !== old.id) {
    throw invalid(
      `The customer does not have a payment method with the ID ${preferred}. The payment method must be ` +
        `attached to the customer.`,
      {
        code: 'resource_missing',
        param: 'invoice_settings[default_payment_method]',
      },
    )
  }
  const customer = tx.change(old, {
    ...(rest as Partial<Stripe.Customer>),
    ...(place === undefined ? {} : { address: address(place as Stripe.AddressParam | null) }),
    ...(shipping === undefined ? {} : { shipping: (shipping || null) as Stripe.Customer.Shipping | null }),
    ...(settings === undefined
      ? {}
      : {
          invoice_settings: {
            ...old.invoice_settings,
            ...(settings.footer === undefined ? {} : { footer: settings.footer }),
            ...(preferred === undefined ? {} : { default_payment_method: preferred }),
          },
        }),
    metadata: metadata(old.metadata, patch),
  })
  tx.emit('customer.updated', customer, previous(old, customer))
  return customer
})

route('DELETE', '/v1/customers/:id', fields({}), ({ tx, path }) => {
  const customer = tx.need('customer', path['id'] ?? '')
  for (const subscription of tx.all('subscription')) {
    if (idOf(subscription.customer) === customer.id && subscription.status !== 'canceled')
      endSubscription(tx, subscription, 'cancellation_requested')
  }
  tx.emit('customer.deleted', customer)
  tx.hide(customer.id, { deleted: true })
  return { id: customer.id, object: 'customer', deleted: true }
})

route<Paging & { email?: string; test_clock?: string }>(
  'GET',
  '/v1/customers',
  listing({ email: 'string', test_clock: 'string' }),
  ({ tx }, params) =>
    page(
      tx,
      'customer',
      params,
      '/v1/customers',
      // Without the filter Stripe omits customers of test clocks.
      (one) =>
        (params.email === undefined || one.email === params.email) &&
        idOf(one.test_clock ?? null) === (params.test_clock ?? null),
    ),
)

// Domains at which wallets may appear. Apple verifies each from outside; of a `.invalid` one there is nothing to see.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { newId } from '../ids.ts'

const ACTIVE = { status: 'active' } as const

function applePay(domain: string): Stripe.PaymentMethodDomain.ApplePay {
  if (!domain.endsWith('.invalid')) return ACTIVE
  return { status: 'inactive', status_details: { error_message: `We were unable to verify the domain ${domain}.` } }
}

route<Stripe.PaymentMethodDomainCreateParams>(
  'POST',
  '/v1/payment_method_domains',
  fields({ domain_name: 'string', enabled: 'boolean' }, ['domain_name']),
  ({ tx }, { domain_name: name, enabled = true }) => {
    if (!/^([a-z\d-]+\.)+[a-z][a-z\d-]+$/.test(name) || name.endsWith('.localhost'))
      throw invalid(`Invalid domain name: ${name}`, { param: 'domain_name' })
    const found = tx.all('payment_method_domain').find((one) => one.domain_name === name)
    if (found) return found
    return tx.put<Stripe.PaymentMethodDomain>({
      id: newId('pmd'),
      object: 'payment_method_domain',
      amazon_pay: ACTIVE,
      apple_pay: applePay(name),
      created: tx.now(),
      domain_name: name,
      enabled,
      google_pay: ACTIVE,
      klarna: ACTIVE,
      link: ACTIVE,
      livemode: false,
      paypal: ACTIVE,
    })
  },
)
route('GET', '/v1/payment_method_domains/:id', fields({}), ({ tx, path }) =>
  tx.need('payment_method_domain', path['id'] ?? ''),
)
route<Stripe.PaymentMethodDomainUpdateParams>(
  'POST',
  '/v1/payment_method_domains/:id',
  fields({ enabled: 'boolean' }),
  ({ tx, path }, { enabled }) => {
    const old = tx.need('payment_method_domain', path['id'] ?? '')
    return tx.change(old, enabled === undefined ? {} : { enabled })
  },
)
route('POST', '/v1/payment_method_domains/:id/validate', fields({}), ({ tx, path }) => {
  const old = tx.need('payment_method_domain', path['id'] ?? '')
  return tx.change(old, { apple_pay: applePay(old.domain_name) })
})
route<Paging & { domain_name?: string; enabled?: boolean }>(
  'GET',
  '/v1/payment_method_domains',
  listing({ domain_name: 'string', enabled: 'boolean' }),
  ({ tx }, params) =>
    page(
      tx,
      'payment_method_domain',
      params,
      '/v1/payment_method_domains',
      (one) =>
        (params.domain_name === undefined || one.domain_name === params.domain_name) &&
        (params.enabled === undefined || one.enabled === params.enabled),
    ),
)

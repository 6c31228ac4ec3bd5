// Events, webhook endpoints, test clocks, the account: everything around the payments.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { letters, newId } from '../ids.ts'
import { API_VERSION, idOf } from '../types.ts'
import { metadata } from './metadata.ts'

const strings = { type: 'array', items: { type: 'string' } }
const THIRTY_DAYS = 30 * 86_400

route('GET', '/v1/events/:id', fields({}), ({ tx, path }) => tx.need('event', path['id'] ?? ''))
route<Paging & { type?: string; types?: string[]; delivery_success?: boolean }>(
  'GET',
  '/v1/events',
  listing({ type: 'string', types: strings, delivery_success: 'boolean' }),
  ({ tx }, params) => {
    const type = params.type?.endsWith('*')
      ? new RegExp(`^${params.type.slice(0, -1).replaceAll('.', '\\.')}`)
      : undefined
    if ((params.types?.length ?? 0) > 20) throw invalid('You may specify up to 20 event types.', { param: 'types' })
    return page(
      tx,
      'event',
      params,
      '/v1/events',
      (one) =>
        (params.type === undefined || (type ? type.test(one.type) : one.type === params.type)) &&
        (!params.types || params.types.includes(one.type)),
    )
  },
)

route<Stripe.WebhookEndpointCreateParams>(
  'POST',
  '/v1/webhook_endpoints',
  'WebhookEndpointCreateParams',
  ({ tx }, params) => {
    if (!URL.canParse(params.url))
      throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', {
        code: 'url_invalid',
        param: 'url',
      })
    return tx.put<Stripe.WebhookEndpoint>({
      id: newId('we'),
      object: 'webhook_endpoint',
      api_version: params.api_version ?? API_VERSION,
      application: null,
      created: tx.now(),
      description: params.description ?? null,
      enabled_events: params.enabled_events,
      livemode: false,
      metadata: metadata({}, params.metadata),
      secret: `whsec_${letters(32)}`,
      status: 'enabled',
      url: params.url,
    } as unknown as Stripe.WebhookEndpoint)
  },
)
/** The secret is returned only once, when the endpoint is created. */
function withoutSecret({ secret: _, ...rest }: Stripe.WebhookEndpoint): Omit<Stripe.WebhookEndpoint, 'secret'> {
  return rest
}
route('GET', '/v1/webhook_endpoints/:id', fields({}), ({ tx, path }) =>
  withoutSecret(tx.need('webhook_endpoint', path['id'] ?? '')),
)
route<{
  url?: string
  enabled_events?: string[]
  disabled?: boolean
  metadata?: Stripe.MetadataParam
  description?: string
}>(
  'POST',
  '/v1/webhook_endpoints/:id',
  fields({
    url: 'string',
    enabled_events: strings,
    disabled: 'boolean',
    metadata: 'MetadataParam',
    description: 'string',
  }),
  ({ tx, path }, params) => {
    const old = tx.need('webhook_endpoint', path['id'] ?? '')
    return withoutSecret(
      tx.change(old, {
        ...(params.url ? { url: params.url } : {}),
        ...(params.enabled_events ? { enabled_events: params.enabled_events } : {}),
        ...(params.description ? { description: params.description } : {}),
        ...(params.disabled === undefined ? {} : { status: params.disabled ? 'disabled' : 'enabled' }),
        metadata: metadata(old.metadata, params.metadata),
      }),
    )
  },
)
route('DELETE', '/v1/webhook_endpoints/:id', fields({}), ({ tx, path }) => {
  const endpoint = tx.need('webhook_endpoint', path['id'] ?? '')
  tx.hide(endpoint.id, { deleted: true })
  return { id: endpoint.id, object: 'webhook_endpoint', deleted: true }
})
route<Paging>('GET', '/v1/webhook_endpoints', listing(), ({ tx }, params) => {
  const list = page(tx, 'webhook_endpoint', params, '/v1/webhook_endpoints')
  return { ...list, data: list.data.map(withoutSecret) }
})

route<Stripe.TestHelpers.TestClockCreateParams>(
  'POST',
  '/v1/test_helpers/test_clocks',
  'TestHelpers.TestHelpers.TestClockCreateParams',
  ({ tx }, params) => {
    const clock = tx.put<Stripe.TestHelpers.TestClock>({
      id: newId('clock'),
      object: 'test_helpers.test_clock',
      created: tx.now(),
      deletes_after: tx.now() + THIRTY_DAYS,
      frozen_time: params.frozen_time,
      livemode: false,
      name: params.name ?? null,
      status: 'ready',
      status_details: {},
    })
    tx.emit('test_helpers.test_clock.created', clock)
    return clock
  },
)
route('GET', '/v1/test_helpers/test_clocks/:id', fields({}), ({ tx, path }) =>
  tx.need('test_helpers.test_clock', path['id'] ?? ''),
)
route<Stripe.TestHelpers.TestClockAdvanceParams>(
  'POST',
  '/v1/test_helpers/test_clocks/:id/advance',
  'TestHelpers.TestHelpers.TestClockAdvanceParams',
  ({ tx, path }, params) => {
    const old = tx.need('test_helpers.test_clock', path['id'] ?? '')
    if (old.status !== 'ready')
      throw invalid('Test clock advancement underway - cannot perform modifications', { param: 'id' })
    if (params.frozen_time <= old.frozen_time)
      throw invalid('Cannot advance a test clock to a time earlier than or equal to its current time.', {
        param: 'frozen_time',
      })
    tx.hide(old.id, { target: params.frozen_time })
    const clock = tx.change(old, {
      status: 'advancing',
      status_details: { advancing: { target_frozen_time: params.frozen_time } },
    })
    tx.emit('test_helpers.test_clock.advancing', clock)
    return clock
  },
)
route('DELETE', '/v1/test_helpers/test_clocks/:id', fields({}), ({ tx, path }) => {
  const clock = tx.need('test_helpers.test_clock', path['id'] ?? '')
  tx.hide(clock.id, { deleted: true })
  for (const customer of tx.all('customer'))
    if (idOf(customer.test_clock ?? null) === clock.id) tx.hide(customer.id, { deleted: true })
  for (const subscription of tx.all('subscription')) {
    if (idOf(subscription.test_clock) === clock.id && subscription.status !== 'canceled')
      tx.change(subscription, { status: 'canceled', ended_at: clock.frozen_time })
  }
  tx.emit('test_helpers.test_clock.deleted', clock)
  return { id: clock.id, object: 'test_helpers.test_clock', deleted: true }
})
route<Paging>('GET', '/v1/test_helpers/test_clocks', listing(), ({ tx }, params) =>
  page(tx, 'test_helpers.test_clock', params, '/v1/test_helpers/test_clocks'),
)

/** The sandbox's only account: European, so that PayPal is available. */
const ACCOUNT = {
  id: 'acct_1SandboxSandbox1',
  object: 'account',
  business_profile: {
    name: 'Embedded sandbox',
    url: null,
    mcc: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    support_address: null,
    product_description: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', paypal_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'IE',
  created: 1_700_000_000,
  default_currency: 'usd',
  details_submitted: true,
  email: 'sandbox@example.com',
  metadata: {},
  payouts_enabled: true,
  settings: { dashboard: { display_name: 'Embedded sandbox', timezone: 'Etc/UTC' } },
  type: 'standard',
}
route('GET', '/v1/account', fields({}), () => ACCOUNT)
route('GET', '/v1/accounts/:id', fields({}), () => ACCOUNT)
route('GET', '/v1/balance', fields({}), ({ tx }) => {
  const amount = tx
    .all('charge')
    .reduce((sum, one) => sum + (one.status === 'succeeded' ? one.amount - one.amount_refunded : 0), 0)
  const entry = [{ amount, currency: 'usd', source_types: { card: amount } }]
  return {
    object: 'balance',
    available: entry,
    livemode: false,
    pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
  }
})

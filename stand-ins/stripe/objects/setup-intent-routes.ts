// Endpoints of setup intents.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { idOf } from '../types.ts'
import { metadata } from './metadata.ts'
import { knownCustomer, namedMethod, sameOwner } from './intent-params.ts'
import { confirmSetup, createSetupIntent, OPEN, type Create } from './setup-intents.ts'

route<Stripe.SetupIntentCreateParams>('POST', '/v1/setup_intents', 'SetupIntentCreateParams', (call, params) => {
  knownCustomer(call, params.customer)
  const method = namedMethod(call, params)
  sameOwner(method, params.customer ?? null)
  const intent = createSetupIntent(call.tx, params as Create, method)
  if (params.confirm !== true) return intent
  const { return_url, mandate_data, use_stripe_sdk } = params
  return confirmSetup(
    call,
    intent,
    {
      ...(return_url === undefined ? {} : { return_url }),
      ...(mandate_data ? { mandate_data: mandate_data as Stripe.SetupIntentConfirmParams.MandateData } : {}),
      ...(use_stripe_sdk === undefined ? {} : { use_stripe_sdk }),
    },
    method,
  )
})
route('GET', '/v1/setup_intents/:id', fields({}), ({ tx, path }) => tx.need('setup_intent', path['id'] ?? ''), {
  browser: true,
})
route<Stripe.SetupIntentUpdateParams>(
  'POST',
  '/v1/setup_intents/:id',
  fields({ customer: 'string', description: 'string', metadata: 'MetadataParam', payment_method: 'string' }),
  (call, params) => {
    const old = call.tx.need('setup_intent', call.path['id'] ?? '')
    knownCustomer(call, params.customer)
    const method = namedMethod(call, { ...(params.payment_method ? { payment_method: params.payment_method } : {}) })
    return call.tx.change(old, {
      ...(params.customer ? { customer: params.customer } : {}),
      ...(params.description ? { description: params.description } : {}),
      ...(method ? { payment_method: method.id, status: 'requires_confirmation' as const } : {}),
      metadata: metadata(old.metadata, params.metadata),
    })
  },
)
route<Stripe.SetupIntentConfirmParams>(
  'POST',
  '/v1/setup_intents/:id/confirm',
  'SetupIntentConfirmParams',
  (call, params) => {
    const intent = call.tx.need('setup_intent', call.path['id'] ?? '')
    const method = namedMethod(call, params)
    sameOwner(method, idOf(intent.customer))
    return confirmSetup(call, intent, params, method)
  },
  { browser: true },
)
route<Stripe.SetupIntentCancelParams>(
  'POST',
  '/v1/setup_intents/:id/cancel',
  fields({ cancellation_reason: 'string' }),
  ({ tx, path }, params) => {
    const old = tx.need('setup_intent', path['id'] ?? '')
    if (!(OPEN as readonly string[]).includes(old.status)) {
      throw invalid(`You cannot cancel this SetupIntent because it has a status of ${old.status}.`, {
        code: 'setup_intent_unexpected_state',
      })
    }
    const intent = tx.change(old, {
      status: 'canceled',
      cancellation_reason: params.cancellation_reason ?? null,
      next_action: null,
    })
    tx.emit('setup_intent.canceled', intent)
    return intent
  },
)
route<Paging & { customer?: string; payment_method?: string }>(
  'GET',
  '/v1/setup_intents',
  listing({ customer: 'string', payment_method: 'string' }),
  ({ tx }, params) =>
    page(
      tx,
      'setup_intent',
      params,
      '/v1/setup_intents',
      (one) =>
        (params.customer === undefined || idOf(one.customer) === params.customer) &&
        (params.payment_method === undefined || idOf(one.payment_method) === params.payment_method),
    ),
)

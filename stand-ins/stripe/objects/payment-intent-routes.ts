// Endpoints of payment intents.
import { type Stripe } from '../stripe-types.ts'
import { route, type Call } from '../http/router.ts'
import { page, type Paging } from '../http/lists.ts'
import { invalid } from '../http/errors.ts'
import { fields, listing } from '../schemas.ts'
import { idOf } from '../types.ts'
import { acceptance } from './mandates.ts'
import { metadata } from './metadata.ts'
import { knownCustomer, methodOptions, methodTypes, namedMethod, sameOwner } from './intent-params.ts'
import { attemptPayment, refusal } from './payments.ts'
import { checkAmount, createIntent, OPEN, type Create } from './payment-intents.ts'

type Confirm = Stripe.PaymentIntentConfirmParams

function confirm(
  call: Call,
  intent: Stripe.PaymentIntent,
  params: Confirm,
  named: Stripe.PaymentMethod | undefined,
): Stripe.PaymentIntent {
  const { tx } = call
  if (intent.status === 'succeeded') {
    throw invalid(
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      { code: 'payment_intent_unexpected_state', payment_intent: intent },
    )
  }
  if (!(OPEN as readonly string[]).includes(intent.status)) {
    throw invalid(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    })
  }
  const current = idOf(intent.payment_method)
  const method = named ?? (current === null ? undefined : tx.need('payment_method', current))
  if (!method) {
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update " +
        'the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with ' +
        'a payment method or ConfirmationToken.',
      { code: 'payment_intent_unexpected_state', payment_intent: intent },
    )
  }
  const offSession = params.off_session !== undefined && params.off_session !== false
  let open = intent
  if (params.setup_future_usage !== undefined)
    open = tx.change(open, { setup_future_usage: params.setup_future_usage || null })
  if (params.receipt_email !== undefined) open = tx.change(open, { receipt_email: params.receipt_email || null })
  if (params.payment_method_options !== undefined) {
    open = tx.change(open, {
      payment_method_options: methodOptions(
        open.payment_method_types,
        params.payment_method_options,
        open.payment_method_options,
        false,
      ) as never,
    })
  }
  if (
    offSession &&
    (open.setup_future_usage !== null ||
      open.payment_method_options?.[method.type as 'card']?.setup_future_usage === 'off_session')
  ) {
    throw invalid(
      'You cannot confirm with `off_session=true` when `setup_future_usage` is also set on the ' +
        'PaymentIntent. The customer needs to be on-session to perform the steps which may be required to set ' +
        'up the PaymentMethod for future usage. Please confirm this PaymentIntent with your customer ' +
        'on-session.',
      { param: 'off_session' },
    )
  }
  const needsReturn =
    open.automatic_payment_methods?.enabled && open.automatic_payment_methods.allow_redirects !== 'never'
  if (!call.browser && needsReturn && params.return_url === undefined && !offSession && !params.use_stripe_sdk) {
    throw invalid(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of ' +
        'these payment methods might redirect your customer off of your page, you must provide a `return_url`. ' +
        "If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` " +
        'to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and ' +
        'Payment Intents.',
      { param: 'return_url' },
    )
  }
  tx.hide(open.id, acceptance(params.mandate_data))
  const outcome = attemptPayment(tx, open, method, {
    offSession,
    sdk: call.browser || params.use_stripe_sdk === true,
    returnUrl: params.return_url ?? null,
    errorOnAction: params.error_on_requires_action === true,
    origin: call.origin,
  })
  if (outcome.decline) throw refusal(outcome)
  return outcome.intent
}

route<Stripe.PaymentIntentCreateParams>('POST', '/v1/payment_intents', 'PaymentIntentCreateParams', (call, params) => {
  const { tx } = call
  knownCustomer(call, params.customer)
  if (params.off_session !== undefined && params.confirm !== true) {
    throw invalid('You cannot pass `off_session` without `confirm=true`.', { param: 'off_session' })
  }
  const method = namedMethod(call, params)
  sameOwner(method, params.customer ?? null)
  const intent = createIntent(tx, params as Create, method)
  if (params.confirm !== true) return intent
  const { off_session, return_url, error_on_requires_action, use_stripe_sdk } = params
  return confirm(
    call,
    intent,
    {
      ...(off_session === undefined ? {} : { off_session }),
      ...(return_url === undefined ? {} : { return_url }),
      ...(error_on_requires_action === undefined ? {} : { error_on_requires_action }),
      ...(use_stripe_sdk === undefined ? {} : { use_stripe_sdk }),
    },
    method,
  )
})

route('GET', '/v1/payment_intents/:id', fields({}), ({ tx, path }) => tx.need('payment_intent', path['id'] ?? ''), {
  browser: true,
})

route<Stripe.PaymentIntentUpdateParams>(
  'POST',
  '/v1/payment_intents/:id',
  'PaymentIntentUpdateParams',
  (call, params) => {
    const { tx } = call
    const old = tx.need('payment_intent', call.path['id'] ?? '')
    const open = (OPEN as readonly string[]).includes(old.status)
    const {
      metadata: patch,
      expand: _,
      payment_method: __,
      payment_method_data: ___,
      payment_method_options: options,
      ...rest
    } = params
    const touched = Object.keys(rest).find(
      (name) => !['description', 'receipt_email', 'shipping', 'transfer_group'].includes(name),
    )
    if (!open && touched !== undefined) {
      throw invalid(
        `This PaymentIntent's ${touched} could not be updated because it has a status of ${old.status}. You ` +
          `may only update the ${touched} of a PaymentIntent with one of the following statuses: ` +
          `${OPEN.join(', ')}.`,
        { code: 'payment_intent_unexpected_state', param: touched, payment_intent: old },
      )
    }
    knownCustomer(call, rest.customer)
    if (rest.customer !== undefined && old.customer !== null && idOf(old.customer) !== rest.customer) {
      throw invalid(
        'You cannot modify `customer` on a PaymentIntent once it already has been set. To fulfill a payment ' +
          'with a different Customer, cancel this PaymentIntent and create a new one.',
        { code: 'payment_intent_unexpected_state', param: 'customer' },
      )
    }
    if (rest.amount !== undefined) checkAmount(rest.amount, rest.currency ?? old.currency)
    const method = namedMethod(call, params)
    sameOwner(method, rest.customer ?? idOf(old.customer))
    const types =
      rest.allowed_payment_method_types || rest.excluded_payment_method_types !== undefined
        ? methodTypes(rest as never)
        : undefined
    return tx.change(old, {
      ...(rest as unknown as Partial<Stripe.PaymentIntent>),
      ...(rest.setup_future_usage === undefined ? {} : { setup_future_usage: rest.setup_future_usage || null }),
      ...(types as object),
      payment_method_options: methodOptions(
        types?.payment_method_types ?? old.payment_method_types,
        options,
        old.payment_method_options,
        false,
      ) as never,
      metadata: metadata(old.metadata, patch),
      ...(method ? { payment_method: method.id, status: 'requires_confirmation' as const, next_action: null } : {}),
      ...(old.status === 'requires_action' && !method && touched !== undefined
        ? { status: 'requires_confirmation' as const, next_action: null }
        : {}),
    })
  },
)

route<Confirm>(
  'POST',
  '/v1/payment_intents/:id/confirm',
  'PaymentIntentConfirmParams',
  (call, params) => {
    const intent = call.tx.need('payment_intent', call.path['id'] ?? '')
    const method = namedMethod(call, params)
    sameOwner(method, idOf(intent.customer))
    return confirm(call, intent, params, method)
  },
  { browser: true },
)

route<Stripe.PaymentIntentCancelParams>(
  'POST',
  '/v1/payment_intents/:id/cancel',
  'PaymentIntentCancelParams',
  ({ tx, path }, params) => {
    const old = tx.need('payment_intent', path['id'] ?? '')
    if (old.status === 'succeeded' || old.status === 'canceled') {
      throw invalid(
        `You cannot cancel this PaymentIntent because it has a status of ${old.status}. Only a PaymentIntent ` +
          `with one of the following statuses may be canceled: requires_payment_method, requires_capture, ` +
          `requires_confirmation, requires_action, processing.`,
        { code: 'payment_intent_unexpected_state', payment_intent: old },
      )
    }
    const intent = tx.change(old, {
      status: 'canceled',
      canceled_at: tx.now(idOf(old.customer)),
      cancellation_reason: params.cancellation_reason ?? null,
      next_action: null,
    })
    tx.emit('payment_intent.canceled', intent)
    return intent
  },
)

route<Paging & { customer?: string }>('GET', '/v1/payment_intents', listing({ customer: 'string' }), ({ tx }, params) =>
  page(
    tx,
    'payment_intent',
    params,
    '/v1/payment_intents',
    (one) => params.customer === undefined || idOf(one.customer) === params.customer,
  ),
)

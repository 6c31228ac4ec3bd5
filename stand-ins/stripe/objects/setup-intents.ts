// Setup intents: a card or wallet saved for later, nothing charged.
import { type Stripe } from '../stripe-types.ts'
import { type Call } from '../http/router.ts'
import { docUrl, invalid, StripeFail } from '../http/errors.ts'
import { newId, newSecret, letters } from '../ids.ts'
import { type Decline } from '../cards.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { metadata } from './metadata.ts'
import { methodOptions, methodTypes } from './intent-params.ts'
import { done, lastError, nextAction, unfinished, type Answer, type Attempt } from './payments.ts'
import { acceptance, createMandate } from './mandates.ts'
import { approvePaypal, attach, cardOf, usedUp } from './payment-methods.ts'

/** Statuses in which a setup can still be confirmed. */
export const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const

export type Create = Omit<Stripe.SetupIntentCreateParams, 'payment_method_options'> & {
  payment_method_options?: object
}

/** Stores a new setup intent and emits `setup_intent.created`. */
export function createSetupIntent(tx: Tx, params: Create, method?: Stripe.PaymentMethod): Stripe.SetupIntent {
  const types = methodTypes(params)
  const id = newId('seti')
  const intent = tx.put<Stripe.SetupIntent>({
    id,
    object: 'setup_intent',
    ...types,
    application: null,
    cancellation_reason: null,
    client_secret: newSecret(id),
    created: tx.now(params.customer),
    customer: params.customer ?? null,
    customer_account: null,
    description: params.description ?? null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: metadata({}, params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: method?.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: methodOptions(types.payment_method_types, params.payment_method_options, null, true),
    single_use_mandate: null,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    usage: params.usage ?? 'off_session',
  } as unknown as Stripe.SetupIntent)
  tx.emit('setup_intent.created', intent)
  return intent
}

function fail(
  tx: Tx,
  intent: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): { intent: Stripe.SetupIntent; error: StripeFail } {
  const failed = tx.change(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    latest_attempt: newId('setatt'),
    last_setup_error: lastError(decline, method) as unknown as Stripe.SetupIntent.LastSetupError,
  })
  tx.emit('setup_intent.setup_failed', failed)
  const bank = !decline.code.startsWith('setup_') && !decline.code.startsWith('payment_')
  const error = new StripeFail(
    bank ? 402 : 400,
    {
      type: bank ? 'card_error' : 'invalid_request_error',
      code: decline.code,
      ...(decline.decline_code ? { decline_code: decline.decline_code } : {}),
      doc_url: docUrl(decline.code),
      message: decline.message,
      payment_method: method,
      setup_intent: failed,
    },
    { keep: true },
  )
  return { intent: failed, error }
}

function succeed(tx: Tx, intent: Stripe.SetupIntent, given: Stripe.PaymentMethod): Stripe.SetupIntent {
  const customer = idOf(intent.customer)
  let method = given.type === 'paypal' && !given.paypal?.payer_id ? approvePaypal(tx, given) : given
  if (customer !== null) method = attach(tx, method, customer, true)
  tx.hide(method.id, { setUp: true })
  const mandate =
    method.type === 'paypal'
      ? (tx.hidden(method.id).mandate ?? createMandate(tx, method, tx.hidden(intent.id).acceptedBy).id)
      : null
  const saved = tx.change(intent, {
    status: 'succeeded',
    payment_method: method.id,
    mandate,
    next_action: null,
    last_setup_error: null,
    latest_attempt: `setatt_1${letters(23)}`,
  })
  tx.emit('setup_intent.succeeded', saved)
  return saved
}

/** Confirms, for the endpoint and for create with `confirm`. */
export function confirmSetup(
  call: Call,
  intent: Stripe.SetupIntent,
  params: Stripe.SetupIntentConfirmParams,
  named?: Stripe.PaymentMethod,
): Stripe.SetupIntent {
  const { tx } = call
  if (!(OPEN as readonly string[]).includes(intent.status)) {
    throw invalid(
      intent.status === 'succeeded'
        ? 'You cannot confirm this SetupIntent because it has already succeeded.'
        : `You cannot confirm this SetupIntent because it has a status of ${intent.status}.`,
      { code: 'setup_intent_unexpected_state', setup_intent: intent },
    )
  }
  const current = idOf(intent.payment_method)
  const method = named ?? (current === null ? undefined : tx.need('payment_method', current))
  if (!method) {
    throw invalid(
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent " +
        'with a payment method and then confirm it again.',
      { code: 'setup_intent_unexpected_state', setup_intent: intent },
    )
  }
  if (!intent.payment_method_types.includes(method.type)) {
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this SetupIntent. Please attach a ` +
        `PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
      { code: 'setup_intent_invalid_parameter', param: 'payment_method' },
    )
  }
  if (method.customer === null && tx.hidden(method.id).used) throw usedUp()
  const open = tx.change(intent, { payment_method: method.id })
  const attempt: Attempt = {
    offSession: false,
    sdk: call.browser || params.use_stripe_sdk === true,
    returnUrl: params.return_url ?? null,
    origin: call.origin,
  }
  tx.hide(open.id, { returnUrl: attempt.returnUrl ?? '', ...acceptance(params.mandate_data) })
  const secret = open.client_secret ?? ''
  if (method.type === 'paypal') {
    if (method.customer !== null && tx.hidden(method.id).mandate) return succeed(tx, open, method)
    if (attempt.returnUrl === null) {
      throw invalid(
        'You must provide a `return_url` when confirming with a redirect-based payment method such as PayPal.',
        { code: 'parameter_missing', param: 'return_url' },
      )
    }
    if (!params.mandate_data) {
      throw invalid(
        'This SetupIntent requires a mandate, but no existing mandate was found. Collect mandate acceptance ' +
          'from the customer and try again, providing acceptance data in the mandate_data parameter.',
        { code: 'setup_intent_mandate_invalid', param: 'mandate_data' },
      )
    }
    return act(tx, open, nextAction('paypal', open.id, secret, attempt))
  }
  const card = cardOf(tx, method)
  // Any authentication happens first; 3178 and 1629 then are saved and decline when charged.
  if (card?.auth && !(card.auth === 'until_set_up' && tx.hidden(method.id).setUp))
    return act(tx, open, nextAction('3ds', open.id, secret, attempt))
  if (card?.noAttach && card.charge) throw fail(tx, open, method, card.charge).error
  return succeed(tx, open, method)
}

function act(tx: Tx, intent: Stripe.SetupIntent, next: Stripe.PaymentIntent.NextAction): Stripe.SetupIntent {
  const waiting = tx.change(intent, {
    status: 'requires_action',
    next_action: next as unknown as Stripe.SetupIntent.NextAction,
    last_setup_error: null,
  })
  tx.emit('setup_intent.requires_action', waiting)
  return waiting
}

/** Continues after the buyer's answer. */
export function answerSetup(tx: Tx, intent: Stripe.SetupIntent, answer: Answer): Stripe.SetupIntent {
  const method = tx.need('payment_method', idOf(intent.payment_method) ?? '')
  if (!done(answer)) return fail(tx, intent, method, unfinished(method.type, answer, 'setup')).intent
  if (answer === 'complete_once') tx.hide(method.id, { declines: true })
  return succeed(tx, intent, method)
}

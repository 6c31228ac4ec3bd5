// How a payment goes: the bank's answer, 3-D Secure, the wallet's redirect. Used by the
// intents' endpoints and by invoices.
import { type Stripe } from '../stripe-types.ts'
import { docUrl, invalid, StripeFail } from '../http/errors.ts'
import { AUTHENTICATION_REQUIRED, EXPIRED, needsAuthentication, type Decline } from '../cards.ts'
import { newId } from '../ids.ts'
import { type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { recordCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import { createMandate } from './mandates.ts'
import { approvePaypal, attach, cardOf, usedUp } from './payment-methods.ts'

export interface Attempt {
  offSession: boolean
  /** The caller can follow `use_stripe_sdk` (a page, or a server that hands over to one). */
  sdk: boolean
  returnUrl: string | null
  errorOnAction?: boolean
  /** The address at which the buyer's browser reaches the sandbox. */
  origin: string
}
export interface Outcome {
  intent: Stripe.PaymentIntent
  decline?: Decline
  method: Stripe.PaymentMethod
  charge?: string
}

type Hook = (tx: Tx, intent: Stripe.PaymentIntent) => void
/** What others do when the state of one of their intents changes (invoices). */
export const hooks: { succeeded: Hook[]; failed: Hook[]; action: Hook[] } = { succeeded: [], failed: [], action: [] }
const run = (list: Hook[], tx: Tx, intent: Stripe.PaymentIntent): void => list.forEach((hook) => hook(tx, intent))

/** The error object that an intent keeps about its last attempt. */
export function lastError(
  decline: Decline,
  method: Stripe.PaymentMethod,
  charge?: string,
): Stripe.PaymentIntent.LastPaymentError {
  return {
    ...(decline.advice_code ? { advice_code: decline.advice_code } : {}),
    ...(charge ? { charge } : {}),
    code: decline.code as Stripe.PaymentIntent.LastPaymentError.Code,
    ...(decline.decline_code ? { decline_code: decline.decline_code } : {}),
    doc_url: docUrl(decline.code),
    message: decline.message,
    ...(decline.code === 'card_declined' ? { network_decline_code: '01' } : {}),
    payment_method: method,
    type:
      decline.code.startsWith('payment_') || decline.code.startsWith('setup_') ? 'invalid_request_error' : 'card_error',
  }
}

/** The reply to a refused payment: 402 for a decline by the bank, 400 otherwise; what happened stays recorded. */
export function refusal(outcome: Outcome): StripeFail {
  const decline = outcome.decline
  if (!decline) throw new Error('nothing was refused')
  const { payment_method, ...rest } = lastError(decline, outcome.method, outcome.charge)
  return new StripeFail(
    rest.type === 'card_error' || decline.code === 'payment_method_provider_decline' ? 402 : 400,
    {
      ...(rest as { type: 'card_error'; message: string }),
      payment_intent: outcome.intent,
      ...(payment_method ? { payment_method } : {}),
    },
    { keep: true },
  )
}

function fail(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
  charge?: string,
): Outcome {
  const failed = tx.change(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    ...(charge ? { latest_charge: charge } : {}),
    last_payment_error: lastError(decline, method, charge),
  })
  tx.emit('payment_intent.payment_failed', failed)
  run(hooks.failed, tx, failed)
  return { intent: failed, decline, method, ...(charge ? { charge } : {}) }
}

function savesMethod(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): boolean {
  const own = method.type === 'paypal' ? intent.payment_method_options?.paypal : intent.payment_method_options?.card
  const usage = own?.setup_future_usage ?? intent.setup_future_usage
  return usage === 'off_session' || usage === 'on_session'
}

/** A card is good until the end of the month on it, by the bank's time: a test clock is Stripe's alone. */
const isExpired = ({ card }: Stripe.PaymentMethod, now: number): boolean =>
  card !== undefined && Date.UTC(card.exp_year, card.exp_month) / 1000 <= now

/** Asks the bank. The buyer has authenticated or need not. */
function capture(tx: Tx, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, authenticated: boolean): Outcome {
  const card = cardOf(tx, method)
  const customer = idOf(intent.customer)
  if (tx.hidden(method.id).declines) {
    const charge = recordCharge(tx, intent, method, { authenticated, decline: PROVIDER_DECLINE })
    return fail(tx, intent, method, PROVIDER_DECLINE, charge.id)
  }
  const decline = card?.charge ?? (isExpired(method, Math.min(tx.now(), tx.state.now())) ? EXPIRED : undefined)
  if (decline) {
    const charge = recordCharge(tx, intent, method, { authenticated, decline })
    return fail(tx, intent, method, decline, charge.id)
  }
  let used = method.type === 'paypal' && !method.paypal?.payer_id ? approvePaypal(tx, method) : method
  if (customer && savesMethod(intent, used)) {
    used = attach(tx, used, customer, true)
    tx.hide(used.id, { setUp: true })
    if (used.type === 'paypal' && !tx.hidden(used.id).mandate) createMandate(tx, used, tx.hidden(intent.id).acceptedBy)
  } else if (used.customer === null) {
    tx.hide(used.id, { used: true })
  }
  const charge = recordCharge(tx, intent, used, { authenticated })
  const paid = tx.change(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
    payment_method: used.id,
  })
  tx.emit('payment_intent.succeeded', paid)
  run(hooks.succeeded, tx, paid)
  if (card?.dispute)
    openDispute(
      tx,
      tx.need('charge', charge.id),
      card.dispute,
      card.inquiry ? 'warning_needs_response' : 'needs_response',
    )
  return { intent: paid, method: used, charge: charge.id }
}

/** What the buyer must do next. */
export function nextAction(
  kind: 'paypal' | '3ds',
  id: string,
  secret: string,
  attempt: Attempt,
): Stripe.PaymentIntent.NextAction {
  const url = `${attempt.origin}/_stripe/${kind}/${id}?client_secret=${secret}`
  if (kind === 'paypal' || (attempt.returnUrl !== null && !attempt.sdk)) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: attempt.returnUrl, url } }
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: {
      type: 'three_d_secure_redirect',
      stripe_js: url,
      source: newId('src'),
      three_d_secure_2_source: newId('payatt'),
    },
  } as unknown as Stripe.PaymentIntent.NextAction
}

/** Tries to take the payment. The intent is open and has an amount; never throws for a decline. */
export function attemptPayment(
  tx: Tx,
  open: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  attempt: Attempt,
): Outcome {
  const owner = idOf(method.customer)
  const customer = idOf(open.customer)
  if (owner !== null && owner !== customer) {
    throw invalid(
      customer === null
        ? 'The PaymentMethod you provided is attached to a Customer, so you must also provide the customer in ' +
            'the request. Please include the Customer in the `customer` parameter on the PaymentIntent.'
        : `The customer does not have a payment method with the ID ${method.id}. The payment method must be ` +
            `attached to the customer.`,
      { code: 'payment_intent_unexpected_state', param: 'payment_method' },
    )
  }
  if (owner === null && tx.hidden(method.id).used) throw usedUp()
  if (!open.payment_method_types.includes(method.type)) {
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a ` +
        `PaymentMethod of one of the following types: ${open.payment_method_types.join(', ')}.`,
      { code: 'payment_intent_incompatible_payment_method', param: 'payment_method' },
    )
  }
  const intent = tx.change(open, { payment_method: method.id })
  const saved = tx.hidden(method.id)
  tx.hide(open.id, { returnUrl: attempt.returnUrl ?? '', offSession: attempt.offSession })
  const secret = intent.client_secret ?? ''
  if (method.type === 'paypal') {
    if (owner !== null && saved.mandate) return capture(tx, intent, method, false)
    if (attempt.offSession) {
      return fail(tx, intent, method, {
        code: 'payment_intent_mandate_invalid',
        message: 'The provided PaymentMethod has no mandate for off-session payments.',
      })
    }
    if (attempt.returnUrl === null) {
      throw invalid(
        'You must provide a `return_url` when confirming using automatic_payment_methods[enabled]=true or a ' +
          'redirect-based payment method such as PayPal.',
        { code: 'parameter_missing', param: 'return_url' },
      )
    }
    return act(tx, intent, method, nextAction('paypal', intent.id, secret, attempt))
  }
  const card = cardOf(tx, method)
  const asked = intent.payment_method_options?.card?.request_three_d_secure
  const always = !attempt.offSession && (asked === 'any' || asked === 'challenge')
  if (card && (always || needsAuthentication(card, saved, attempt.offSession))) {
    if (attempt.offSession || attempt.errorOnAction) {
      const charge = recordCharge(tx, intent, method, { authenticated: false, decline: AUTHENTICATION_REQUIRED })
      return fail(tx, intent, method, AUTHENTICATION_REQUIRED, charge.id)
    }
    return act(tx, intent, method, nextAction('3ds', intent.id, secret, attempt))
  }
  return capture(tx, intent, method, false)
}

function act(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  next: Stripe.PaymentIntent.NextAction,
): Outcome {
  const waiting = tx.change(intent, { status: 'requires_action', next_action: next, last_payment_error: null })
  tx.emit('payment_intent.requires_action', waiting)
  run(hooks.action, tx, waiting)
  return { intent: waiting, method }
}

/**
 * How the buyer left the bank's or the wallet's page; `complete_once`: approved, later charges of the wallet decline.
 */
export type Answer = 'complete' | 'complete_once' | 'fail' | 'cancel'

export const done = (answer: Answer): boolean => answer === 'complete' || answer === 'complete_once'

const PROVIDER_DECLINE: Decline = { code: 'payment_method_provider_decline', message: 'PayPal declined the payment.' }

/** The decline for an action that was not completed. */
export function unfinished(type: string, answer: Answer, intent: 'payment' | 'setup'): Decline {
  if (type === 'paypal') {
    return answer === 'cancel'
      ? { code: 'payment_method_customer_decline', message: 'The customer declined the payment on the PayPal page.' }
      : PROVIDER_DECLINE
  }
  return {
    code: `${intent}_intent_authentication_failure`,
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  }
}

/** Continues after the buyer's action, which the intent must be waiting for. */
export function answerPayment(tx: Tx, intent: Stripe.PaymentIntent, answer: Answer): Outcome {
  const method = tx.need('payment_method', idOf(intent.payment_method) ?? '', 'payment_method')
  if (!done(answer)) return fail(tx, intent, method, unfinished(method.type, answer, 'payment'))
  const outcome = capture(tx, intent, method, method.type === 'card')
  if (answer === 'complete_once') tx.hide(method.id, { declines: true })
  return outcome
}

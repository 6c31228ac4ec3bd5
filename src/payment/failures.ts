import { errorOf, type ErrorCode } from '../../contract/errors.ts'
import { PAYMENT_MESSAGES, paymentMessage, type PaymentMessageCode } from '../../contract/payment-messages.ts'
import type { ShownTerms } from '../../contract/terms.ts'
import type { Failure } from '../session/http.ts'
import { fieldOfCode, NAME_WORDS, type Faults, type Field } from './faults.ts'

/**
 * What a payment screen says when something went wrong: the specification's message for its code, and below it what
 * happened to the money and what to do next (look.md).
 */
export interface Trouble {
  code: string
  words: string
  /**
   * not_charged: certain; unknown: no answer came; charged: the money has moved; returned: it is refunded
   * automatically.
   */
  money: 'not_charged' | 'unknown' | 'charged' | 'returned'
  /** The form field at fault. */
  field?: Field
  /** The provider's own message, shown at the field; in `words` the specification's message precedes it. */
  reason?: string
  /** What would be charged now, where it is no longer what the page showed. */
  terms?: ShownTerms
}

export const NEXT_STEPS: Readonly<Record<Trouble['money'], string>> = {
  not_charged: 'You were not charged. You can try again.',
  unknown: 'If this payment went through, we will find it. Trying again will not charge you twice.',
  returned: 'This payment goes back to you. If your bank refuses it, we write to you. Please do not pay again.',
  charged: 'Your payment is safe and your order is on record. Please do not pay again.',
}

const CHARGED: readonly PaymentMessageCode[] = ['processed_not_finalized']

/**
 * Refusals whose message already says what happened to the money and what to do next: adding more would repeat or
 * contradict it.
 */
const COMPLETE: readonly string[] = [
  'too_many_requests',
  'already_paid',
  'already_owned',
  'payment_not_found',
  'payment_open',
] satisfies ErrorCode[]

/**
 * What happened to the money and what to do next; null where the message already says it. A buyer who already has a
 * subscription is not asked to try again, which would change nothing.
 */
export function nextStep({ code, money }: Trouble): string | null {
  if (COMPLETE.includes(code)) return null
  return code === 'already_subscribed' && money === 'not_charged' ? 'You were not charged.' : NEXT_STEPS[money]
}

export function trouble(
  code: PaymentMessageCode,
  blanks: Parameters<typeof paymentMessage>[1] = {},
  money: Trouble['money'] = CHARGED.includes(code) ? 'charged' : 'not_charged',
): Trouble {
  return { code, words: paymentMessage(code, blanks), money }
}

/** Nobody knows whether a payment went through that an exception cut short. */
const UNEXPECTED = trouble('unexpected_during_payment', {}, 'unknown')

export const OFFLINE_WORDS = 'We cannot reach our service. Please check your internet connection and try again.'

/** Refusals whose own words help a buyer more than the message of the step. */
const SAID_BY_CODE: readonly ErrorCode[] = [
  'too_many_requests',
  'unknown_product',
  'already_paid',
  'already_owned',
  'already_subscribed',
  'not_paid',
  'payment_not_found',
  'payment_open',
  'terms_changed',
]

/** A failed call to the service as a message; `fallback` is the specification's message for this step. */
export function troubleOfCall(failed: Failure, fallback: PaymentMessageCode): Trouble {
  if (failed.kind === 'network' || failed.kind === 'timeout') {
    return { code: failed.kind, words: OFFLINE_WORDS, money: 'unknown' }
  }
  if (failed.code === 'invalid_body' && failed.field) {
    const field = failed.field.split('.').at(-1)
    if (field === 'email') return { ...trouble('account_email_invalid'), field: 'email' }
    if (field === 'name') return { code: 'invalid_body', words: NAME_WORDS, money: 'not_charged', field: 'name' }
  }
  if (failed.code && Object.hasOwn(PAYMENT_MESSAGES, failed.code)) {
    const code = failed.code as PaymentMessageCode
    // the service has already filled in the blanks
    const words = failed.words ?? paymentMessage(code)
    return { ...trouble(code), words }
  }
  // the service's message may say more than the code: how long to wait
  const own = SAID_BY_CODE.find((code) => code === failed.code)
  const terms = failed.terms ? { terms: failed.terms } : {}
  if (own) return { code: own, words: failed.words ?? errorOf(own).words, money: 'not_charged', ...terms }
  return trouble(fallback)
}

/** The trouble as a fault of its field, if it belongs to one. */
export const faultOf = ({ field, reason, words }: Trouble): Faults => (field ? { [field]: reason ?? words } : {})

/** The parts of a Stripe.js error that this product reads. */
export interface ProviderError {
  type?: string
  code?: string
  message?: string
}

/**
 * Whether the card itself was refused: another one is needed, or a field corrected. What was only interrupted (3-D
 * Secure, the network, the bank's own trouble) is tried again with the same card.
 */
export const isRefusedCard = (error: ProviderError | undefined): boolean =>
  error?.type === 'card_error' && error.code !== 'processing_error'

/** An exception in the place of an answer: not one of Stripe's types. */
export const THROWN = 'thrown'

/** An exception on the way of a payment: operators read of it (D-08), and the buyer that nobody knows yet. */
export function unexpected(thrown: unknown): Trouble {
  reportError(thrown)
  return UNEXPECTED
}

/** Section 8: the provider's error by its type, in the provider's own words where it gives any. */
export function troubleOfProvider(error: ProviderError): Trouble {
  const reason = error.message
  if (error.type === THROWN) return UNEXPECTED
  if (error.type === 'api_connection_error') return { code: 'network', words: OFFLINE_WORDS, money: 'unknown' }
  if (error.type === 'card_error' && reason) {
    const field = fieldOfCode(error.code)
    return { ...trouble('card_error_reason', { reason }), ...(field && { field, reason }) }
  }
  if (error.type === 'validation_error' && reason) {
    return error.code?.startsWith('incomplete')
      ? trouble('card_incomplete')
      : trouble('validation_error_reason', { reason })
  }
  if (error.code === 'resource_missing') return trouble('payment_session_expired')
  // an error of the provider itself, or an intent that something else is at work on, may follow a charge
  const broken = error.type === 'api_error'
  const money = broken || !error.type || error.code === 'lock_timeout' ? 'unknown' : 'not_charged'
  if (reason) return trouble('payment_failed_reason', { reason }, money)
  return trouble(broken ? 'confirmation_failed' : 'unexpected_payment_error', {}, money)
}

/** Sections 4 and 8: what an intent's status means after a confirmation that did not succeed. */
export function troubleOfStatus(status: string): Trouble {
  if (status === 'processing') return { ...trouble('payment_processing'), money: 'unknown' }
  if (status === 'requires_payment_method') return trouble('payment_failed_other_method')
  if (status === 'requires_action') return trouble('three_d_secure_required')
  if (status === 'canceled') return trouble('payment_session_expired')
  return trouble('failed_with_status', { status })
}

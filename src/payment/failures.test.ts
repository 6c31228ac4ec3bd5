import { describe, expect, test } from 'vitest'
import { errorOf, type ErrorCode } from '../../contract/errors.ts'
import { shownTerms } from '../../contract/terms.ts'
import { noAnswer, proxyPage, refusal } from '../session/outcomes.fixture.ts'
import {
  faultOf,
  nextStep,
  OFFLINE_WORDS,
  trouble,
  troubleOfCall,
  troubleOfProvider,
  troubleOfStatus,
} from './failures.ts'

const AGAIN = 'You were not charged. You can try again.'
const UNKNOWN = 'If this payment went through, we will find it. Trying again will not charge you twice.'

describe('a refusal by the service', () => {
  const ofOrder = (...given: Parameters<typeof refusal>) => troubleOfCall(refusal(...given), 'order_failed')

  test('P-11 no answer is said plainly and claims nothing about the money', () => {
    for (const kind of ['network', 'timeout'] as const) {
      const lost = troubleOfCall(noAnswer(kind), 'payment_setup_failed')
      expect(lost).toEqual({ code: kind, words: OFFLINE_WORDS, money: 'unknown' })
      expect(nextStep(lost)).toBe(UNKNOWN)
    }
  })

  test("P-11 a proxy's page says the message of its step", () => {
    const lost = troubleOfCall(proxyPage(), 'payment_setup_failed')
    expect([lost.words, nextStep(lost)]).toEqual(['Failed to setup payment. Please try again.', AGAIN])
  })

  test('C-13 P-11 an e-mail or a name that the service refuses is a fault of its field', () => {
    const email = ofOrder('invalid_body', 422, { field: 'body.email' })
    expect([email.words, faultOf(email)]).toEqual([
      'Please enter a valid email address.',
      { email: 'Please enter a valid email address.' },
    ])
    const name = ofOrder('invalid_body', 422, { field: 'name' })
    expect(name).toMatchObject({ code: 'invalid_body', words: 'Please enter your full name.', money: 'not_charged' })
    expect(faultOf(name)).toEqual({ name: 'Please enter your full name.' })
  })

  test('P-11 anything else in a body that is refused says the message of its step, at no field', () => {
    for (const field of ['body.shown', null]) {
      const other = ofOrder('invalid_body', 422, { field })
      expect([other.words, faultOf(other)]).toEqual(['Failed to process order. Please try again.', {}])
    }
    // the field of another refusal is no field of the form
    expect(faultOf(ofOrder('not_found', 404, { field: 'email' }))).toEqual({})
    expect(faultOf(ofOrder('not_found', 404, { field: 'name' }))).toEqual({})
  })

  test('P-11 a message of the specification comes with the blanks that the service has filled', () => {
    const declined = ofOrder('card_error_reason', 402, { words: 'Card error: Your card has expired.' })
    expect([declined.words, nextStep(declined)]).toEqual(['Card error: Your card has expired.', AGAIN])
    expect(ofOrder('paypal_use_card', 409)).toEqual({
      code: 'paypal_use_card',
      words: 'Failed to initialize PayPal. Please try using a card instead.',
      money: 'not_charged',
    })
  })

  test('P-11 a refusal with words for a buyer says them, any other says the message of its step', () => {
    const own: ErrorCode[] = [
      ...(['too_many_requests', 'unknown_product', 'already_paid', 'already_owned', 'already_subscribed'] as const),
      ...(['not_paid', 'payment_not_found', 'payment_open', 'terms_changed'] as const),
    ]
    for (const code of own) {
      expect(ofOrder(code, 409)).toEqual({ code, words: errorOf(code).words, money: 'not_charged' })
    }
    for (const code of ['not_found', 'stripe_unavailable', 'internal', 'malformed_json'] as const) {
      expect(ofOrder(code, 500).words).toBe('Failed to process order. Please try again.')
    }
  })

  test('P-11 the service knows how long to wait, and its message alone speaks of the money', () => {
    const told = ofOrder('too_many_requests', 429, { words: 'Please try again in 24 hours. Nothing was charged.' })
    expect([told.words, nextStep(told)]).toEqual(['Please try again in 24 hours. Nothing was charged.', null])
  })

  test('H-01 changed terms come with what would be charged now', () => {
    const terms = shownTerms('trial_5', new Date('2026-11-23T12:00:00Z'), 'UTC')
    expect(ofOrder('terms_changed', 409, { terms }).terms).toBe(terms)
    expect(ofOrder('terms_changed', 409)).not.toHaveProperty('terms')
  })
})

describe('what happened to the money, and what to do next', () => {
  test('P-11 each state of the money has one sentence', () => {
    expect(nextStep(trouble('order_failed'))).toBe(AGAIN)
    expect(nextStep(trouble('order_failed', {}, 'unknown'))).toBe(UNKNOWN)
    expect(nextStep(trouble('processed_not_finalized'))).toBe(
      'Your payment is safe and your order is on record. Please do not pay again.',
    )
    expect(nextStep(trouble('order_failed', {}, 'returned'))).toBe(
      'This payment goes back to you. If your bank refuses it, we write to you. Please do not pay again.',
    )
  })

  test('P-11 nothing is added to a message that already says it', () => {
    for (const code of ['already_paid', 'already_owned', 'payment_not_found', 'payment_open'] as const) {
      expect(nextStep(troubleOfCall(refusal(code, 409), 'order_failed'))).toBeNull()
    }
    expect(nextStep(troubleOfCall(refusal('terms_changed', 409), 'order_failed'))).toBe(AGAIN)
  })

  test('P-14 who has a subscription already is not told to try again', () => {
    const second = troubleOfCall(refusal('already_subscribed', 409), 'order_failed')
    expect(nextStep(second)).toBe('You were not charged.')
    expect(nextStep({ ...second, money: 'returned' })).toBe(
      'This payment goes back to you. If your bank refuses it, we write to you. Please do not pay again.',
    )
  })
})

describe('an error of the payment provider', () => {
  test('P-11 its type decides the message', () => {
    const words = (...error: Parameters<typeof troubleOfProvider>) => troubleOfProvider(...error).words
    expect(words({ type: 'api_error' })).toBe('Payment confirmation failed.')
    expect(words({ type: 'api_error', message: 'm' })).toBe('Payment failed: m')
    expect(words({})).toBe('An unexpected payment error occurred')
    expect(words({ type: 'card_error' })).toBe('An unexpected payment error occurred')
    expect(words({ type: 'validation_error' })).toBe('An unexpected payment error occurred')
    expect(words({ type: 'validation_error', code: 'incomplete_number', message: 'm' })).toBe(
      'Card information is incomplete. Please fill all fields.',
    )
    expect(words({ type: 'validation_error', code: 'invalid_number', message: 'm' })).toBe('Validation error: m')
    expect(words({ type: 'validation_error', message: 'm' })).toBe('Validation error: m')
    expect(words({ type: 'invalid_request_error', message: 'm' })).toBe('Payment failed: m')
    expect(words({ type: 'invalid_request_error', code: 'resource_missing', message: 'm' })).toBe(
      'Payment session expired. Please try again.',
    )
  })

  test('P-11 a lost connection to the provider claims nothing about the money', () => {
    expect(troubleOfProvider({ type: 'api_connection_error', message: 'm' })).toEqual({
      code: 'network',
      words: OFFLINE_WORDS,
      money: 'unknown',
    })
  })

  test('P-11 an error that may follow a charge claims nothing about the money', () => {
    const next = (...error: Parameters<typeof troubleOfProvider>) => nextStep(troubleOfProvider(...error))
    expect(next({ type: 'api_error', message: 'm' })).toBe(UNKNOWN)
    expect(next({ type: 'api_error' })).toBe(UNKNOWN)
    expect(next({ message: 'm' })).toBe(UNKNOWN)
    expect(next({ type: 'invalid_request_error', code: 'lock_timeout', message: 'm' })).toBe(UNKNOWN)
    expect(next({ type: 'invalid_request_error', message: 'm' })).toBe(AGAIN)
    expect(next({ type: 'card_error' })).toBe(AGAIN)
  })

  test('C-13 P-11 a refusal that names a field of the card is said there in the words of the bank', () => {
    const cvc = troubleOfProvider({ type: 'card_error', code: 'incorrect_cvc', message: 'The code is wrong.' })
    expect(cvc.words).toBe('Card error: The code is wrong.')
    expect(faultOf(cvc)).toEqual({ cardCvc: 'The code is wrong.' })
    const declined = troubleOfProvider({ type: 'card_error', code: 'card_declined', message: 'Declined.' })
    expect(declined).toEqual({ code: 'card_error_reason', words: 'Card error: Declined.', money: 'not_charged' })
    expect(faultOf(declined)).toEqual({})
  })
})

test('P-11 a confirmation that ended in another status than success', () => {
  const said = (status: string) => {
    const found = troubleOfStatus(status)
    return [found.words, nextStep(found)]
  }
  expect(said('requires_payment_method')).toEqual(['Payment failed. Please try a different payment method.', AGAIN])
  expect(said('processing')).toEqual(['Payment is processing. We will update you shortly.', UNKNOWN])
  expect(said('requires_action')).toEqual([
    'Your bank asks you to confirm this payment. Please complete the verification.',
    AGAIN,
  ])
  expect(said('canceled')).toEqual(['Payment session expired. Please try again.', AGAIN])
  expect(said('requires_capture')).toEqual(['Payment failed with status: requires_capture. Please try again.', AGAIN])
})

import { describe, expect, test, vi } from 'vitest'
import type { PaymentResult } from '../../../contract/api.ts'
import type { Failure, Outcome } from '../../session/http.ts'
import { shownTerms } from '../../../contract/terms.ts'
import { NO_CARD_STATE } from './card-state.ts'
import { formTrouble } from './form.ts'
import { nextStep, troubleOfCall, troubleOfProvider, troubleOfStatus } from './failures.ts'
import { payByCard, requestOf, settle, SETTLE_WAITS_MS, type Order, type PayWorld } from './pay.ts'
import { offersPaypal, payByPaypal, paypalReturnPath, paysNothingToday, setUpPaypal } from './paypal.ts'

const ok = <T>(data: T, status = 200): Outcome<T> => ({ ok: true, status, data })
const failure = (over: Partial<Failure> = {}): Failure => ({
  ok: false,
  kind: 'refused',
  status: 500,
  code: 'internal',
  words: null,
  field: null,
  requestId: null,
  ...over,
})
const INTENT: PaymentResult = {
  status: 'requires_payment_method',
  paymentIntentId: 'pi_1',
  clientSecret: 'pi_1_secret_x',
  paymentMethodType: 'card',
}
const ORDER: Order = {
  sessionId: '00000000-0000-4000-8000-000000000001',
  productId: 'trial_1',
  email: 'a@b.co',
  name: 'Ada Byron',
  marketing: null,
  shown: shownTerms('trial_1', new Date('2026-11-22T12:00:00Z'), 'UTC'),
  agreement: { words: 'w', version: '1', page: '/checkout' },
}
const SETTLED = ok({ status: 'settled', productId: 'trial_1', nextPage: 'multi-upsell' })

/** A service that answers each endpoint from a list; the last answer stays. */
function worldOf(answers: Record<string, Outcome<unknown>[]>, confirm: PayWorld['confirm'] = vi.fn()) {
  const asked: string[] = []
  const call = vi.fn(async (name: string) => {
    asked.push(name)
    const list = answers[name] ?? [failure()]
    return list.length > 1 ? list.shift() : list[0]
  })
  return { call: call as unknown as PayWorld['call'], wait: async () => undefined, confirm, asked }
}

const paid: PayWorld['confirm'] = async () => ({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })

describe('a card order', () => {
  test('C-13 P-04 customer, intent, confirmation, settled', async () => {
    const world = worldOf(
      { customer: [ok({ done: true })], initialPayment: [ok(INTENT)], finalizePayment: [SETTLED] },
      paid,
    )
    expect(await payByCard(world, ORDER)).toEqual({ kind: 'settled', productId: 'trial_1', nextPage: 'multi-upsell' })
    expect(world.asked).toEqual(['customer', 'initialPayment', 'finalizePayment'])
  })

  test('P-02 an intent that was paid already is settled without another confirmation', async () => {
    const confirm = vi.fn()
    const world = worldOf(
      {
        customer: [ok({ done: true })],
        initialPayment: [ok({ ...INTENT, status: 'succeeded' })],
        finalizePayment: [SETTLED],
      },
      confirm,
    )
    expect((await payByCard(world, ORDER)).kind).toBe('settled')
    expect(confirm).not.toHaveBeenCalled()
  })

  test('C-02 a session that is paid for goes on instead of paying again', async () => {
    const world = worldOf({
      customer: [ok({ done: true })],
      initialPayment: [failure({ status: 409, code: 'already_paid' })],
      session: [ok({ nextPage: 'user-creation' })],
    })
    expect(await payByCard(world, ORDER)).toEqual({ kind: 'settled', productId: null, nextPage: 'user-creation' })
  })

  test('P-14 another tab was faster: its payment leads on; without one the buyer may try again', async () => {
    const over: PayWorld['confirm'] = async () => ({
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: 'status of canceled',
        payment_intent: { id: 'pi_1', status: 'canceled' },
      },
    })
    const answers = { customer: [ok({ done: true })], initialPayment: [ok(INTENT)] }
    const session = (paymentStatus: string) => [ok({ paymentStatus, nextPage: 'thank-you' })]
    expect(await payByCard(worldOf({ ...answers, session: session('paid') }, over), ORDER)).toEqual({
      kind: 'settled',
      productId: null,
      nextPage: 'thank-you',
    })
    expect(await payByCard(worldOf({ ...answers, session: session('unpaid') }, over), ORDER)).toMatchObject({
      kind: 'failed',
      trouble: { words: 'Payment session expired. Please try again.', money: 'not_charged' },
    })
  })

  test('P-11 every step that fails has its own words', async () => {
    const words = async (answers: Record<string, Outcome<unknown>[]>, confirm = paid) => {
      const result = await payByCard(worldOf(answers, confirm), ORDER)
      return result.kind === 'failed' ? result.trouble.words : result.kind
    }
    const customer = [ok({ done: true })]
    expect(await words({ customer: [failure()] })).toBe('Failed to setup customer. Please try again.')
    expect(await words({ customer, initialPayment: [failure()] })).toBe('Failed to setup payment. Please try again.')
    expect(await words({ customer, initialPayment: [ok({ ...INTENT, clientSecret: '' })] })).toBe(
      'Payment was not properly initialized',
    )
    const open = { customer, initialPayment: [ok(INTENT)] }
    expect(await words(open, async () => ({}))).toBe('Payment confirmation did not return a PaymentIntent.')
    expect(await words(open, async () => Promise.reject(new Error('x')))).toBe(
      'An unexpected error occurred during payment.',
    )
    expect(await words(open, async () => ({ error: { type: 'card_error', message: 'Your card was declined.' } }))).toBe(
      'Card error: Your card was declined.',
    )
    expect(await words({ customer: [failure({ status: 403, code: 'session_forbidden' })] })).toBe('session_lost')
  })

  test('P-11 the provider succeeded although its answer was an error: settled, not charged again', async () => {
    const world = worldOf(
      { customer: [ok({ done: true })], initialPayment: [ok(INTENT)], finalizePayment: [SETTLED] },
      async () => ({
        error: { type: 'invalid_request_error', message: 'x', payment_intent: { id: 'pi_1', status: 'succeeded' } },
      }),
    )
    expect((await payByCard(world, ORDER)).kind).toBe('settled')
  })
})

test('C-11 the consent travels with the order, with its words; a page that does not ask sends none', () => {
  const marketing = { granted: true, wording: 'Send me tips', version: '2', preticked: true }
  expect(requestOf({ ...ORDER, marketing }, 'card')).toMatchObject({
    marketingConsent: true,
    marketing: { wording: 'Send me tips', version: '2', preticked: true },
  })
  expect(requestOf(ORDER, 'card')).not.toHaveProperty('marketingConsent')
})

describe('settling', () => {
  test('P-04 a pending answer is asked again until it is settled', async () => {
    const pending = ok({ status: 'pending', productId: null, nextPage: 'checkout' }, 202)
    const world = worldOf({
      finalizePayment: [pending, pending, failure({ kind: 'network', code: null, status: 0 }), SETTLED],
    })
    expect((await settle(world, ORDER.sessionId, 'pi_1')).kind).toBe('settled')
    expect(world.asked.length).toBe(4)
  })

  test('P-04 P-11 patience ends: undecided stays processing, unreachable says the payment is safe', async () => {
    const pending = worldOf({
      finalizePayment: [ok({ status: 'pending', productId: null, nextPage: 'checkout' }, 202)],
    })
    expect((await settle(pending, ORDER.sessionId, 'pi_1')).kind).toBe('processing')
    expect(pending.asked.length).toBe(SETTLE_WAITS_MS.length + 1)
    const gone = await settle(worldOf({ finalizePayment: [failure()] }), ORDER.sessionId, 'pi_1')
    expect(gone).toMatchObject({
      kind: 'failed',
      trouble: { words: 'Payment processed but finalization failed. Please contact support.', money: 'charged' },
    })
  })

  test('P-11 a refusal to settle has its words, and never claims that nothing was charged', async () => {
    const refused = failure({
      status: 409,
      code: 'initial_not_successful',
      words: 'Initial payment not successful. Status: requires_action',
    })
    expect(await settle(worldOf({ finalizePayment: [refused] }), ORDER.sessionId, 'pi_1')).toMatchObject({
      trouble: { words: 'Initial payment not successful. Status: requires_action', money: 'unknown' },
    })
  })
})

describe('PayPal', () => {
  test('C-14 only for the four trial products, only with a stored customer, only where the account can', () => {
    expect(offersPaypal('trial_1767', { hasCustomer: true }, true)).toBe(true)
    expect(offersPaypal('trial_1', { hasCustomer: false }, true)).toBe(false)
    expect(offersPaypal('special_offer', { hasCustomer: true }, true)).toBe(false)
    expect(offersPaypal('trial_1', { hasCustomer: true }, false)).toBe(false)
  })

  test('C-14 P-07 it returns to the trial page, and its failures have their words', async () => {
    expect(paypalReturnPath('trial_5', 'x')).toBe('/paypal-trial-return/x')
    expect(paypalReturnPath('special_offer', 'x')).toBe('/special-offer-paypal-return/x')
    const confirmPaypal = vi.fn(async () => ({}))
    const never = vi.fn()
    const world = {
      ...worldOf({ customer: [ok({})], initialPayment: [ok(INTENT)] }),
      origin: 'https://a.b',
      confirmPaypal,
      confirmPaypalSetup: never,
    }
    expect(await payByPaypal(world, ORDER)).toEqual({ kind: 'left' })
    // C-14: the address typed in the form is saved before leaving the page
    expect(world.asked).toEqual(['customer', 'initialPayment'])
    expect(world.call).toHaveBeenCalledWith('customer', {
      path: { sessionId: ORDER.sessionId },
      body: { email: 'a@b.co', name: 'Ada Byron' },
    })
    expect(confirmPaypal).toHaveBeenCalledWith('pi_1_secret_x', `https://a.b/paypal-trial-return/${ORDER.sessionId}`)
    const words = async (answer: Outcome<unknown>, error?: { message?: string }) => {
      const result = await payByPaypal(
        {
          ...worldOf({ customer: [ok({})], initialPayment: [answer] }),
          origin: '',
          confirmPaypal: async () => (error ? { error } : {}),
          confirmPaypalSetup: never,
        },
        ORDER,
      )
      return result.kind === 'failed' ? result.trouble.words : result.kind
    }
    expect(await words(failure())).toBe('Failed to initialize PayPal payment.')
    expect(await words(failure({ status: 409, code: 'paypal_use_card' }))).toBe(
      'Failed to initialize PayPal. Please try using a card instead.',
    )
    expect(await words(ok(INTENT), {})).toBe('PayPal payment failed. Please try again.')
    expect(await words(ok(INTENT), { message: 'no funds' })).toBe('PayPal error: no funds')
  })

  test('P-06 C-14 where the shop offers it a trial is only set up, and PayPal returns to that page', async () => {
    expect(paysNothingToday('trial_9', true)).toBe(true)
    expect(paysNothingToday('trial_9', false)).toBe(false)
    expect(paysNothingToday('special_offer', true)).toBe(false)
    const confirmPaypalSetup = vi.fn(async () => ({}))
    const setup = ok({ ...INTENT, paymentIntentId: 'seti_1', clientSecret: 'seti_1_secret_x' })
    const with_ = (answer: Outcome<unknown>, confirm: () => Promise<{ error?: { message?: string } }>) =>
      setUpPaypal(
        {
          ...worldOf({ customer: [ok({})], paypalSetup: [answer], finalizePayment: [SETTLED] }),
          origin: 'https://a.b',
          confirmPaypal: vi.fn(),
          confirmPaypalSetup: confirm,
        },
        ORDER,
      )
    expect(await with_(setup, confirmPaypalSetup)).toEqual({ kind: 'left' })
    expect(confirmPaypalSetup).toHaveBeenCalledWith(
      'seti_1_secret_x',
      `https://a.b/paypal-setup-return/${ORDER.sessionId}`,
    )
    expect(await with_(setup, async () => ({ error: {} }))).toMatchObject({
      trouble: { words: 'PayPal setup failed. Please try again.' },
    })
    const done = ok({ ...INTENT, paymentIntentId: 'seti_1', status: 'succeeded' })
    expect(await with_(done, vi.fn())).toMatchObject({ kind: 'settled' })
  })
})

describe('messages', () => {
  test('P-11 the status of an intent that is no success', () => {
    expect(troubleOfStatus('requires_payment_method').words).toBe(
      'Payment failed. Please try a different payment method.',
    )
    expect(troubleOfStatus('processing').words).toBe('Payment is processing. We will update you shortly.')
    expect(troubleOfStatus('canceled').words).toBe('Payment session expired. Please try again.')
    expect(troubleOfStatus('requires_capture').words).toBe(
      'Payment failed with status: requires_capture. Please try again.',
    )
  })

  test('P-11 the error of the provider by its type', () => {
    expect(troubleOfProvider({ type: 'api_error' }).words).toBe('Payment confirmation failed.')
    expect(troubleOfProvider({}).words).toBe('An unexpected payment error occurred')
    expect(troubleOfProvider({ type: 'validation_error', code: 'incomplete_number', message: 'm' }).words).toBe(
      'Card information is incomplete. Please fill all fields.',
    )
    expect(troubleOfProvider({ type: 'validation_error', code: 'invalid_number', message: 'm' }).words).toBe(
      'Validation error: m',
    )
    expect(troubleOfProvider({ type: 'invalid_request_error', message: 'm' }).words).toBe('Payment failed: m')
    expect(troubleOfProvider({ type: 'api_connection_error', message: 'm' }).money).toBe('unknown')
  })

  test('P-11 no network is said plainly and claims nothing about the money', () => {
    expect(troubleOfCall(failure({ kind: 'network', code: null, status: 0 }), 'payment_setup_failed').money).toBe(
      'unknown',
    )
  })

  test('P-11 a refusal with words for a buyer says them, any other says the message of its step', () => {
    const words = (code: Failure['code'], status: number) =>
      troubleOfCall(failure({ code, status }), 'order_failed').words
    expect(words('too_many_requests', 429)).toContain('wait a minute')
    // the service knows how long to wait, and only its message speaks of the money
    const told = troubleOfCall(
      failure({ code: 'too_many_requests', status: 429, words: 'Please try again in 24 hours. Nothing was charged.' }),
      'order_failed',
    )
    expect([told.words, nextStep(told)]).toEqual(['Please try again in 24 hours. Nothing was charged.', null])
    expect(nextStep(troubleOfCall(failure({ code: 'terms_changed', status: 409 }), 'order_failed'))).toBe(
      'You were not charged. You can try again.',
    )
    expect(words('not_found', 404)).toBe('Failed to process order. Please try again.')
    expect(words('stripe_unavailable', 503)).toBe('Failed to process order. Please try again.')
  })

  test('C-13 P-11 the form is refused for the first thing that is missing', () => {
    const ready = { ready: true, complete: true, error: null, invalid: false }
    const card = { cardNumber: ready, cardExpiry: ready, cardCvc: ready }
    const world = { sessionId: 'x', stripe: true, elements: true }
    const fields = { name: 'Ada', email: 'a@b.co', postalCode: '' }
    expect(formTrouble(fields, card, world)).toBeUndefined()
    expect(formTrouble({ ...fields, email: '' }, card, world)?.words).toBe('Email is required for payment')
    expect(formTrouble({ ...fields, email: 'a' }, card, world)?.words).toBe('Please enter a valid email address.')
    expect(formTrouble(fields, card, { ...world, sessionId: null })?.words).toBe(
      'Session ID is missing. Cannot process payment.',
    )
    expect(formTrouble(fields, card, { ...world, stripe: false })?.words).toBe(
      'Stripe has not loaded yet. Please wait and try again.',
    )
    expect(formTrouble(fields, card, { ...world, elements: false })?.words).toBe(
      'Payment system is not ready. Please try again.',
    )
    expect(formTrouble(fields, NO_CARD_STATE, world)?.words).toBe(
      'Payment system is not ready. Please wait a moment and try again.',
    )
    expect(formTrouble(fields, { ...card, cardCvc: { ...ready, complete: false } }, world)?.words).toBe(
      'Card information is incomplete. Please fill all fields.',
    )
    expect(
      formTrouble(fields, { ...card, cardNumber: { ...ready, complete: false, invalid: true, error: 'Bad.' } }, world)
        ?.words,
    ).toBe('Validation error: Bad.')
  })
})

import { describe, expect, test, vi } from 'vitest'
import type { PaymentResult } from '../../contract/api.ts'
import type { Outcome } from '../session/http.ts'
import { BROKEN, noAnswer, ok, proxyPage, refusal, serviceOf } from '../session/outcomes.fixture.ts'
import { shownTerms } from '../../contract/terms.ts'
import { NO_CARD_STATE } from './card-state.ts'
import { formTrouble } from './form.ts'
import { confirmation, payByCard, requestOf, settle, SETTLE_WAITS_MS, type Order, type PayWorld } from './pay.ts'
import { offersPaypal, payByPaypal, paypalReturnPath, paypalWords, paysNothingToday, setUpPaypal } from './paypal.ts'

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
const path = { sessionId: ORDER.sessionId }
const SETTLED = ok({ status: 'settled', productId: 'trial_1', nextPage: 'multi-upsell' })

const worldOf = (answers: Parameters<typeof serviceOf>[0], confirm: PayWorld['confirm'] = vi.fn()) => ({
  ...serviceOf(answers),
  wait: vi.fn(async () => undefined),
  confirm,
})

const paid: PayWorld['confirm'] = async () => ({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })

describe('a card order', () => {
  test('C-13 P-04 customer, intent, confirmation, settled', async () => {
    const world = worldOf(
      { customer: [ok({ done: true })], initialPayment: [ok(INTENT)], finalizePayment: [SETTLED] },
      paid,
    )
    expect(await payByCard(world, ORDER)).toEqual({ kind: 'settled', productId: 'trial_1', nextPage: 'multi-upsell' })
    expect(world.sent).toEqual([
      ['customer', { path, body: { email: 'a@b.co', name: 'Ada Byron' } }],
      ['initialPayment', { path, body: requestOf(ORDER, 'card') }],
      ['finalizePayment', { path, body: { paymentIntentId: 'pi_1' } }],
    ])
  })

  test('C-13 the screen is told what is under way', async () => {
    const onPhase = vi.fn()
    const open = { customer: [ok({ done: true })], initialPayment: [ok(INTENT)], finalizePayment: [SETTLED] }
    await payByCard({ ...worldOf(open, paid), onPhase }, ORDER)
    expect(onPhase.mock.calls.flat()).toEqual(['preparing', 'confirming', 'finishing'])
  })

  test('P-02 an intent that was paid already is settled without another confirmation', async () => {
    for (const status of ['succeeded', 'processing'] as const) {
      const world = worldOf({
        customer: [ok({ done: true })],
        initialPayment: [ok({ ...INTENT, status })],
        finalizePayment: [SETTLED],
      })
      expect((await payByCard(world, ORDER)).kind).toBe('settled')
      expect(world.confirm).not.toHaveBeenCalled()
    }
  })

  test('C-02 a session that is paid for goes on instead of paying again', async () => {
    const world = worldOf({
      customer: [ok({ done: true })],
      initialPayment: [refusal('already_paid', 409)],
      session: [ok({ nextPage: 'user-creation' })],
    })
    expect(await payByCard(world, ORDER)).toEqual({ kind: 'settled', productId: null, nextPage: 'user-creation' })
    expect(world.sent.at(-1)).toEqual(['session', { path }])
  })

  test('C-02 a paid session that does not say where it belongs says that nothing more was charged', async () => {
    const world = worldOf({ customer: [refusal('already_paid', 409)], session: [noAnswer()] })
    expect(await payByCard(world, ORDER)).toMatchObject({
      kind: 'failed',
      trouble: { words: 'This is paid for already. You were not charged again.', money: 'not_charged' },
    })
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
    for (const unpaid of [session('unpaid'), [proxyPage()]]) {
      const world = worldOf({ ...answers, session: unpaid }, over)
      expect(await payByCard(world, ORDER)).toMatchObject({
        kind: 'failed',
        trouble: { words: 'Payment session expired. Please try again.', money: 'not_charged' },
      })
      expect(world.sent.at(-1)).toEqual(['session', { path }])
    }
  })

  test('P-11 every step that fails has its own words, and says what happened to the money', async () => {
    const end = async (answers: Parameters<typeof worldOf>[0], confirm = paid) => {
      const result = await payByCard(worldOf(answers, confirm), ORDER)
      return result.kind === 'failed' ? [result.trouble.words, result.trouble.money] : result.kind
    }
    const customer = [ok({ done: true })]
    const session = [ok({ nextPage: 'user-creation' })]
    expect(await end({ customer: [BROKEN], session })).toEqual([
      'Failed to setup customer. Please try again.',
      'not_charged',
    ])
    expect(await end({ customer, initialPayment: [BROKEN] })).toEqual([
      'Failed to setup payment. Please try again.',
      'not_charged',
    ])
    expect(await end({ customer, initialPayment: [ok({ ...INTENT, clientSecret: '' })] })).toEqual([
      'Payment was not properly initialized',
      'not_charged',
    ])
    const open = { customer, initialPayment: [ok(INTENT)] }
    expect(await end(open, async () => ({}))).toEqual([
      'Payment confirmation did not return a PaymentIntent.',
      'unknown',
    ])
    vi.stubGlobal('reportError', vi.fn())
    expect(await end(open, () => confirmation(() => Promise.reject(new Error('x'))))).toEqual([
      'An unexpected error occurred during payment.',
      'unknown',
    ])
    expect(await end(open, async () => ({ paymentIntent: { id: 'pi_1', status: 'requires_payment_method' } }))).toEqual(
      ['Payment failed. Please try a different payment method.', 'not_charged'],
    )
    expect(await end(open, async () => ({ paymentIntent: { id: 'pi_1', status: 'requires_action' } }))).toEqual([
      'Further action is required to complete the payment.',
      'not_charged',
    ])
    expect(await end(open, async () => ({ error: { type: 'api_error' } }))).toEqual([
      'Payment confirmation failed.',
      'unknown',
    ])
    const declined = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
    expect(await end(open, async () => ({ error: declined }))).toEqual([
      'Card error: Your card was declined.',
      'not_charged',
    ])
  })

  test('C-02 a browser that lost the session is told so at whichever step', async () => {
    const lost = refusal('session_forbidden', 403)
    const customer = [ok({ done: true })]
    for (const answers of [{ customer: [lost] }, { customer, initialPayment: [lost] }]) {
      expect(await payByCard(worldOf(answers, paid), ORDER)).toEqual({ kind: 'session_lost' })
    }
    // after the bank has confirmed, nobody may say that nothing was charged
    const late = { customer, initialPayment: [ok(INTENT)], finalizePayment: [lost] }
    expect(await payByCard(worldOf(late, paid), ORDER)).toEqual({ kind: 'session_lost', paid: true })
  })

  test('P-11 the provider succeeded although its answer was an error: settled, not charged again', async () => {
    for (const status of ['succeeded', 'processing']) {
      const world = worldOf(
        { customer: [ok({ done: true })], initialPayment: [ok(INTENT)], finalizePayment: [SETTLED] },
        async () => ({
          error: { type: 'invalid_request_error', message: 'x', payment_intent: { id: 'pi_1', status } },
        }),
      )
      expect((await payByCard(world, ORDER)).kind).toBe('settled')
    }
  })
})

test('C-11 the consent travels with the order, with its words; a page that does not ask sends none', () => {
  const marketing = { granted: true, wording: 'Send me tips', version: '2', preticked: true }
  expect(requestOf({ ...ORDER, marketing }, 'card')).toMatchObject({
    marketingConsent: true,
    marketing: { wording: 'Send me tips', version: '2', preticked: true },
  })
  const { productId, shown, agreement } = ORDER
  expect(requestOf(ORDER, 'card')).toEqual({ productId, paymentMethodType: 'card', shown, agreement })
})

describe('settling', () => {
  const pending = ok({ status: 'pending', productId: null, nextPage: 'checkout' }, 202)
  const PATIENCE = SETTLE_WAITS_MS.length + 1
  const SAFE = {
    kind: 'failed',
    trouble: { words: 'Payment processed but finalization failed. Please contact support.', money: 'charged' },
  }

  test('P-04 a pending answer is asked again, after ever longer waits, until it is settled', async () => {
    const world = worldOf({ finalizePayment: [pending, pending, noAnswer(), SETTLED] })
    expect(await settle(world, ORDER.sessionId, 'pi_1')).toEqual({
      kind: 'settled',
      productId: 'trial_1',
      nextPage: 'multi-upsell',
    })
    expect(world.asked()).toHaveLength(4)
    expect(world.wait.mock.calls).toEqual([[1_000], [1_500], [2_000]])
  })

  test('P-04 P-11 patience ends: undecided stays processing, unreachable says the payment is safe', async () => {
    const undecided = worldOf({ finalizePayment: [pending] })
    expect(await settle(undecided, ORDER.sessionId, 'pi_1')).toEqual({ kind: 'processing', paymentIntentId: 'pi_1' })
    expect(undecided.asked()).toHaveLength(PATIENCE)
    expect(await settle(worldOf({ finalizePayment: [BROKEN] }), ORDER.sessionId, 'pi_1')).toMatchObject(SAFE)
  })

  test('P-04 P-11 what was heard last decides whether the service is unreachable', async () => {
    const back = [...Array.from({ length: PATIENCE - 1 }, () => noAnswer()), pending]
    const end = await settle(worldOf({ finalizePayment: back }), ORDER.sessionId, 'pi_1')
    expect(end.kind).toBe('processing')
    const gone = [...Array.from({ length: PATIENCE - 1 }, () => pending), noAnswer()]
    expect(await settle(worldOf({ finalizePayment: gone }), ORDER.sessionId, 'pi_1')).toMatchObject(SAFE)
  })

  test('P-14 a second subscription is refused: the payment goes back, and nobody is asked to pay again', async () => {
    const second = worldOf({ finalizePayment: [refusal('already_subscribed', 409)] })
    expect(await settle(second, ORDER.sessionId, 'pi_1')).toMatchObject({
      kind: 'failed',
      trouble: { code: 'already_subscribed', money: 'returned' },
    })
  })

  test('C-02 a payment that another tab has settled leads on', async () => {
    const there = { finalizePayment: [refusal('already_paid', 409)], session: [ok({ nextPage: 'thank-you' })] }
    expect(await settle(worldOf(there), ORDER.sessionId, 'pi_1')).toEqual({
      kind: 'settled',
      productId: null,
      nextPage: 'thank-you',
    })
    expect(await settle(worldOf({ ...there, session: [BROKEN] }), ORDER.sessionId, 'pi_1')).toMatchObject({
      trouble: { words: 'This is paid for already. You were not charged again.' },
    })
  })

  test('P-11 a refusal to settle has its words, and never claims that nothing was charged', async () => {
    const refused = refusal('initial_not_successful', 409, {
      words: 'Initial payment not successful. Status: requires_action',
    })
    expect(await settle(worldOf({ finalizePayment: [refused] }), ORDER.sessionId, 'pi_1')).toMatchObject({
      trouble: { words: 'Initial payment not successful. Status: requires_action', money: 'unknown' },
    })
    expect(
      await settle(worldOf({ finalizePayment: [refusal('not_found', 404)] }), ORDER.sessionId, 'pi_1'),
    ).toMatchObject({ trouble: { words: 'Failed to finalize payment record', money: 'unknown' } })
  })
})

describe('PayPal', () => {
  test('C-14 only for the four trial products, only with a stored customer, only where the account can', () => {
    expect(offersPaypal('trial_1767', { hasCustomer: true }, true)).toBe(true)
    expect(offersPaypal('trial_1', { hasCustomer: false }, true)).toBe(false)
    expect(offersPaypal('special_offer', { hasCustomer: true }, true)).toBe(false)
    expect(offersPaypal('trial_1', { hasCustomer: true }, false)).toBe(false)
  })

  test('C-14 H-02 its button names the duty, and the amount where one is paid today', () => {
    expect(paypalWords(1767, false)).toBe('Order with obligation to pay $17.67')
    expect(paypalWords(1767, true)).toBe('Order with obligation to pay')
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
    expect(world.asked()).toEqual(['customer', 'initialPayment'])
    expect(world.sent[0]?.[1]).toEqual({ path, body: { email: 'a@b.co', name: 'Ada Byron' } })
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
    expect(await words(BROKEN)).toBe('Failed to initialize PayPal payment.')
    expect(await words(refusal('paypal_use_card', 409))).toBe(
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

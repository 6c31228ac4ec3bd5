import { describe, expect, test, vi } from 'vitest'
import type { UpsellResult } from '../../contract/api.ts'
import type { AddOnId } from '../../contract/catalogue.ts'
import { shownTerms } from '../../contract/terms.ts'
import { trouble } from '../payment/failures.ts'
import { confirmation, type Confirmation } from '../payment/pay.ts'
import type { Outcome } from '../session/http.ts'
import { BROKEN, noAnswer, ok, proxyPage, refusal, serviceOf } from '../session/outcomes.fixture.ts'
import { chargeAll, chargeOne, orderTrouble, withOwned, type ChargeOutcome, type ChargeWorld } from './charge.ts'

const EVIDENCE = {
  shown: shownTerms('bundle', new Date('2026-11-22T12:00:00Z'), 'UTC'),
  agreement: { words: 'w', version: '1', page: '/multi-upsell' },
}
const SETTLED = ok({ status: 'settled', productId: 'bundle', nextPage: 'user-creation' })
const PENDING = ok({ status: 'pending', productId: null, nextPage: 'multi-upsell' }, 202)
const answer = (over: Partial<UpsellResult>): Outcome<UpsellResult> =>
  ok({ status: 'succeeded', productId: 'bundle', paymentIntentId: 'pi_1', clientSecret: null, ...over })
const challenged = answer({ status: 'requires_action', clientSecret: 'pi_1_secret_2' })

function worldOf(
  charged: Outcome<unknown>,
  over: Partial<ChargeWorld> = {},
  finalizePayment: Outcome<unknown>[] = [SETTLED],
) {
  const service = serviceOf({ chargeUpsell: [charged], finalizePayment })
  const world = {
    ...service,
    wait: async () => undefined,
    authenticate: vi.fn(async (): Promise<Confirmation> => ({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })),
    leaveForPaypal: vi.fn(async (): Promise<Confirmation> => ({})),
    onNews: vi.fn(),
    onChanged: vi.fn(),
    ...over,
  }
  return { world, service, charge: () => chargeOne(world, 's', 'bundle', EVIDENCE) }
}

/** What the buyer reads, and what is said of the money; else how it ended. */
const said = (outcome: ChargeOutcome): readonly string[] =>
  outcome.kind === 'failed' ? [outcome.trouble.words, outcome.trouble.money] : [outcome.kind]
const end = async (...world: Parameters<typeof worldOf>) => said(await worldOf(...world).charge())

describe('charging one add-on', () => {
  test('U-04 H-03 the order carries what the page showed, and PayPal only where it was chosen', async () => {
    const { service, world, charge } = worldOf(answer({}))
    expect(await charge()).toEqual({ kind: 'bought', productId: 'bundle' })
    expect(world.onNews).not.toHaveBeenCalled()
    const path = { sessionId: 's' }
    expect(service.sent).toEqual([
      ['chargeUpsell', { path, body: { productId: 'bundle', ...EVIDENCE } }],
      ['finalizePayment', { path, body: { paymentIntentId: 'pi_1' } }],
    ])
    await chargeOne(world, 's', 'bundle', EVIDENCE, 'paypal')
    expect(service.sent[2]?.[1].body).toEqual({ productId: 'bundle', ...EVIDENCE, paymentMethodType: 'paypal' })
  })

  test('U-04 every result state is followed to its end', async () => {
    expect(await end(answer({}))).toEqual(['bought'])
    expect(await end(answer({ status: 'processing' }))).toEqual(['bought'])
    expect(await end(challenged)).toEqual(['bought'])
    expect(await end(answer({ status: 'paypal_redirect_immediate' }))).toEqual(['left'])
    expect(await end(answer({ status: 'else' as UpsellResult['status'] }))).toEqual([
      'Unexpected payment result status',
      'unknown',
    ])
  })

  test('U-04 what was charged without an intent is bought', async () => {
    const { service, charge } = worldOf(answer({ paymentIntentId: null }))
    expect((await charge()).kind).toBe('bought')
    expect(service.asked()).toEqual(['chargeUpsell'])
  })

  test('U-04 a payment under way says so, and that PayPal may follow', async () => {
    const { world, charge } = worldOf(answer({ status: 'processing' }))
    await charge()
    expect(world.onNews).toHaveBeenCalledExactlyOnceWith('Payment processing. If using PayPal, you will be redirected.')
  })

  test('U-04 P-11 a charge that is not settled yet never claims that nothing was charged', async () => {
    expect(await end(answer({}), {}, [PENDING])).toEqual([
      'Payment processing. If using PayPal, you will be redirected.',
      'unknown',
    ])
    const unsettled = ['Failed to finalize upsell payment record.', 'unknown']
    expect(await end(answer({}), {}, [refusal('payment_not_found', 404)])).toEqual(unsettled)
    expect(await end(answer({}), {}, [refusal('session_forbidden', 403)])).toEqual(unsettled)
  })

  test('U-04 P-11 a charge whose answer was lost on the way never claims that nothing was charged', async () => {
    for (const lost of [proxyPage(), BROKEN, refusal('stripe_unavailable', 503), refusal('service_unavailable', 503)]) {
      expect(await end(lost)).toEqual(['Failed to process order. Please try again.', 'unknown'])
    }
    expect((await end(noAnswer()))[1]).toBe('unknown')
    expect(await end(refusal('invalid_body', 422))).toEqual([
      'Failed to process order. Please try again.',
      'not_charged',
    ])
  })

  test('U-04 P-11 an error of the service has its message, with the reason where there is one', async () => {
    expect(await end(answer({ status: 'error', message: 'no_saved_context' }))).toEqual([
      'No saved payment context found for this session.',
      'not_charged',
    ])
    expect(await end(answer({ status: 'error', message: 'payment_failed_reason', reason: 'No funds.' }))).toEqual([
      'Payment failed: No funds.',
      'not_charged',
    ])
    expect(await end(answer({ status: 'error' }))).toEqual([
      'Payment processing failed. Please try again.',
      'not_charged',
    ])
  })

  test('U-06 a saved method that cannot be charged asks for the form, with the reason where there is one', async () => {
    const declined = answer({
      status: 'requires_new_card',
      clientSecret: 'pi_1_secret_2',
      message: 'card_error_reason',
      reason: 'Your card has expired.',
    })
    expect(await worldOf(declined).charge()).toEqual({
      kind: 'needs_form',
      productId: 'bundle',
      clientSecret: 'pi_1_secret_2',
      reason: trouble('card_error_reason', { reason: 'Your card has expired.' }),
    })
    expect(
      await worldOf(answer({ status: 'requires_new_card', message: 'payment_failed_other_method' })).charge(),
    ).toMatchObject({ reason: { words: 'Payment failed. Please try a different payment method.' } })
    expect(await worldOf(answer({ status: 'requires_paypal_redirect' })).charge()).toEqual({
      kind: 'needs_form',
      productId: 'bundle',
      clientSecret: null,
    })
  })

  test('U-06 P-11 PayPal that does not open has failed', async () => {
    const leaveForPaypal = vi.fn(async () => ({ error: { message: 'x' } }))
    const redirect = answer({ status: 'paypal_redirect_immediate' })
    expect(await end(redirect, { leaveForPaypal })).toEqual(['PayPal payment failed. Please try again.', 'not_charged'])
    expect(leaveForPaypal).toHaveBeenCalledWith(redirect.ok && redirect.data)
  })

  test('U-04 P-11 an exception of Stripe.js in 3-D Secure leaves open whether the add-on was charged', async () => {
    vi.stubGlobal('reportError', vi.fn())
    const authenticate = () => confirmation(() => Promise.reject(new Error('x')))
    expect(await end(challenged, { authenticate })).toEqual(['An unexpected error occurred during payment.', 'unknown'])
  })

  test('U-08 what is owned already, or has a guide that is, was not bought by this order', async () => {
    expect(await end(refusal('already_owned', 409, { words: 'You own a guide of it.' }))).toEqual([
      'You own a guide of it.',
      'not_charged',
    ])
  })

  test('H-01 U-04 a price that is no longer the shown one charges nothing and comes to the page', async () => {
    const terms = shownTerms('bundle', new Date('2026-11-23T12:00:00Z'), 'UTC')
    const { world, charge } = worldOf(refusal('terms_changed', 409, { terms }))
    expect(said(await charge())[1]).toBe('not_charged')
    expect(world.onChanged).toHaveBeenCalledExactlyOnceWith('bundle', terms)
    const other = worldOf(BROKEN)
    await other.charge()
    expect(other.world.onChanged).not.toHaveBeenCalled()
  })
})

describe('3-D Secure for a saved card', () => {
  const NEWS = 'Payment requires additional verification. Please follow the prompts.'
  const FAILED = ['Payment processing failed. Please try again.', 'not_charged']
  const asked = async (confirmed: Confirmation) => end(challenged, { authenticate: async () => confirmed })

  test('U-04 the buyer is asked, with the secret of this payment', async () => {
    const { world, charge } = worldOf(challenged)
    expect((await charge()).kind).toBe('bought')
    expect(world.onNews).toHaveBeenCalledExactlyOnceWith(NEWS)
    expect(world.authenticate).toHaveBeenCalledWith('pi_1_secret_2')
  })

  test('U-04 a refusal charges nothing and says why', async () => {
    expect(await asked({ error: { type: 'card_error', message: 'Not verified.' } })).toEqual([
      'Card error: Not verified.',
      'not_charged',
    ])
    expect(await asked({})).toEqual(FAILED)
    expect(await asked({ paymentIntent: { id: 'pi_1', status: 'requires_payment_method' } })).toEqual(FAILED)
    expect(await end(answer({ status: 'requires_action', clientSecret: null }))).toEqual(FAILED)
  })

  test('U-04 P-11 a payment that ended meanwhile is said in our words, not in the provider’s', async () => {
    const payment_intent = { id: 'pi_1', status: 'canceled' }
    const ended = ['Payment session expired. Please try again.', 'not_charged']
    const message = 'This PaymentIntent’s payment_method could not be updated.'
    expect(await asked({ error: { type: 'invalid_request_error', message, payment_intent } })).toEqual(ended)
    expect(await asked({ paymentIntent: payment_intent })).toEqual(ended)
  })

  test('U-04 what the bank has taken is settled, also where the answer was an error', async () => {
    for (const status of ['succeeded', 'processing']) {
      expect(await asked({ paymentIntent: { id: 'pi_1', status } })).toEqual(['bought'])
      expect(await asked({ error: { message: 'x', payment_intent: { id: 'pi_1', status } } })).toEqual(['bought'])
    }
  })
})

describe('charging several', () => {
  const ids: AddOnId[] = ['guide_devices', 'guide_habits', 'guide_lighting']
  const failed = (productId: AddOnId): ChargeOutcome => ({
    kind: 'failed',
    productId,
    trouble: trouble('processing_failed'),
  })

  test('U-03 one by one, in sequence, never two at once', async () => {
    let running = 0
    const order: string[] = []
    const end = await chargeAll(ids, async (productId) => {
      expect(++running).toBe(1)
      await Promise.resolve()
      order.push(productId)
      running--
      return { kind: 'bought', productId }
    })
    expect(order).toEqual(ids)
    expect(end.bought).toEqual(ids)
    expect(orderTrouble(end)).toBeUndefined()
  })

  test('U-03 partial and total failure have their words', async () => {
    const some = await chargeAll(ids, async (productId) =>
      productId === 'guide_devices' ? { kind: 'bought', productId } : failed(productId),
    )
    expect(orderTrouble(some)?.words).toBe(
      'Some products were processed successfully, but 2 failed. Please contact support.',
    )
    expect(orderTrouble(await chargeAll(ids, async (id) => failed(id)))?.words).toBe(
      'Failed to process any selected products',
    )
  })

  test('U-03 P-11 a single add-on says its own reason; whether one was charged is said as it is known', async () => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const thrown = new Error('x')
    const broken = async () => Promise.reject(thrown)
    expect(orderTrouble(await chargeAll(['bundle'], broken))).toMatchObject({
      words: 'Payment processing failed. Please try again.',
      money: 'unknown',
    })
    expect(orderTrouble(await chargeAll(ids, broken))).toMatchObject({ code: 'upsell_all_failed', money: 'unknown' })
    expect(orderTrouble(await chargeAll(ids, async (id) => failed(id)))?.money).toBe('not_charged')
    const mixed = await chargeAll(ids, async (id) => (id === 'guide_habits' ? broken() : failed(id)))
    expect(orderTrouble(mixed)).toMatchObject({ code: 'upsell_all_failed', money: 'unknown' })
    expect(reportError, 'D-08').toHaveBeenCalledWith(thrown)
  })

  test('U-06 a method that cannot be charged stops the sequence for the card form', async () => {
    const charge = vi.fn(async (productId: AddOnId): Promise<ChargeOutcome> => ({
      kind: 'needs_form',
      productId,
      clientSecret: null,
    }))
    const stopped = await chargeAll(ids, charge)
    expect(stopped).toMatchObject({ bought: [], failures: [], stopped: { productId: 'guide_devices' } })
    expect(stopped.rest).toEqual(['guide_habits', 'guide_lighting'])
    expect(charge).toHaveBeenCalledTimes(1)
  })

  test('U-03 after the card form the order goes on where it stopped, and counts what came before', async () => {
    const first = await chargeAll(ids, async (productId) =>
      productId === 'guide_habits'
        ? { kind: 'needs_form', productId, clientSecret: 'x' }
        : { kind: 'bought', productId },
    )
    expect(first).toMatchObject({ bought: ['guide_devices'], rest: ['guide_lighting'] })
    const end = await chargeAll(first.rest, async (id) => failed(id), {
      ...first,
      bought: [...first.bought, 'guide_habits'],
    })
    expect(end).toMatchObject({ bought: ['guide_devices', 'guide_habits'], stopped: null })
    expect(orderTrouble(end)?.words).toContain('but 1 failed')
    expect(end.rest).toEqual([])
  })

  test('U-03 what failed before the card form is still told after it', async () => {
    const first = await chargeAll(ids, async (productId) =>
      productId === 'guide_devices' ? failed(productId) : { kind: 'needs_form', productId, clientSecret: 'x' },
    )
    const end = await chargeAll(first.rest, async (productId) => ({ kind: 'bought', productId }), first)
    expect(end).toMatchObject({ bought: ['guide_lighting'], failures: [{ productId: 'guide_devices' }] })
  })

  test('U-03 U-08 a lost network stops the sequence; a lost answer is found among what is owned', async () => {
    const asked: string[] = []
    const lost = await chargeAll(ids, async (productId) => {
      asked.push(productId)
      if (productId === 'guide_devices') return { kind: 'bought', productId }
      return { kind: 'failed', productId, trouble: { code: 'network', words: 'x', money: 'unknown' } }
    })
    expect(asked).toEqual(['guide_devices', 'guide_habits'])
    expect(orderTrouble(lost)).toMatchObject({
      words: 'Some products were processed successfully, but 2 failed. Please contact support.',
      money: 'unknown',
    })
    const known = withOwned(lost, ['guide_devices', 'guide_habits'])
    expect(known.bought).toEqual(['guide_devices', 'guide_habits'])
    expect(orderTrouble(known)).toMatchObject({ money: 'not_charged' })
  })

  test('U-08 an owned guide does not make the bundle bought, nor the bundle its guides', async () => {
    const owned = { code: 'already_owned', words: 'x', money: 'not_charged' } as const
    const refused = async (productId: AddOnId) => ({ kind: 'failed', productId, trouble: owned }) as const
    const bundle = withOwned(await chargeAll(['bundle'], refused), ['trial_1', 'guide_devices'])
    expect([bundle.bought, orderTrouble(bundle)]).toEqual([[], owned])
    const guides = withOwned(await chargeAll(ids, refused), ['trial_1', 'bundle'])
    expect([guides.bought, orderTrouble(guides)]).toEqual([[], owned])
  })
})

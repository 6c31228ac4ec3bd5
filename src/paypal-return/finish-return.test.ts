import { describe, expect, test, vi } from 'vitest'
import type { Outcome } from '../session/http.ts'
import { BROKEN, noAnswer, ok, refusal, serviceOf } from '../session/outcomes.fixture.ts'
import { finishReturn, type ReturnWorld } from './finish-return.ts'
import { SETTLE_WAITS_MS } from '../payment/pay.ts'
import type { ReturnPlan } from './returns.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000009'
const PLAN: ReturnPlan = { kind: 'trial', sessionId: ID, intentId: 'pi_1', clientSecret: 'pi_1_secret_2' }
const SET_UP: ReturnPlan = { ...PLAN, kind: 'setup', intentId: 'seti_1', clientSecret: 'seti_1_secret_2' }
const DONE = { id: 'pi_1', status: 'succeeded' }
const SETTLED = ok({ status: 'settled', productId: 'trial_1', nextPage: 'multi-upsell' })
const PENDING = ok({ status: 'pending', productId: null, nextPage: 'checkout' }, 202)
const LOST = refusal('session_token_missing', 401)
/** An unreachable or undecided service is asked this often before the return looks again. */
const LOOKS = SETTLE_WAITS_MS.length + 1

function worldOf(
  answers: Parameters<typeof serviceOf>[0],
  intent: Awaited<ReturnType<ReturnWorld['retrieve']>> = DONE,
) {
  const service = serviceOf(answers)
  return {
    ...service,
    wait: vi.fn(async () => undefined),
    retrieve: vi.fn(async () => intent),
    onPending: vi.fn(),
    onClaimed: vi.fn(),
    /** Which endpoint was asked, and about which session. */
    asked: () => service.sent.map(([name, { path }]) => (path?.sessionId ? `${name} ${path.sessionId.at(-1)}` : name)),
  }
}
const times = <T>(count: number, answer: T): T[] => Array.from({ length: count }, () => answer)
const claimed = (status: 'settled' | 'pending', sessionId = OTHER): Outcome<unknown> =>
  ok({ sessionId, status, productId: 'trial_5', nextPage: 'multi-upsell' })

describe('what a return comes to', () => {
  test('P-07 the status is asked of Stripe; anything but success or processing is a problem', async () => {
    const end = async (intent: Awaited<ReturnType<ReturnWorld['retrieve']>>) => {
      const world = worldOf({ finalizePayment: [SETTLED] }, intent)
      const found = await finishReturn(world, PLAN)
      expect(world.retrieve).toHaveBeenCalledWith(PLAN)
      expect(world.asked()).toEqual([])
      return found
    }
    expect(await end({ id: 'pi_1', status: 'canceled' })).toEqual({
      kind: 'problem',
      problem: 'failed',
      status: 'canceled',
    })
  })

  test('P-07 what Stripe.js does not say the service is asked, and a paid return goes on', async () => {
    for (const unread of ['no_provider', null] as const) {
      const world = worldOf({ finalizePayment: [noAnswer(), PENDING, SETTLED] }, unread)
      expect(await finishReturn(world, PLAN)).toMatchObject({ kind: 'settled', sessionId: ID, productId: 'trial_1' })
      expect(world.sent[0]?.[1]).toEqual({ path: { sessionId: ID }, body: { paymentIntentId: 'pi_1' } })
      const setUp = worldOf({ finalizePaypalSetup: [PENDING, SETTLED] }, unread)
      expect(await finishReturn(setUp, SET_UP)).toMatchObject({ kind: 'settled', sessionId: ID })
      const there = worldOf({ claimReturn: [noAnswer(), claimed('pending')], finalizePayment: [SETTLED] }, unread)
      expect(await finishReturn(there, { ...PLAN, kind: 'standard', sessionId: null })).toMatchObject({
        kind: 'settled',
        sessionId: OTHER,
      })
    }
  })

  test('P-07 P-11 unread by Stripe.js and refused by the service, a return is a problem and never "paid"', async () => {
    for (const [unread, problem] of [
      ['no_provider', 'provider'],
      [null, 'retrieve'],
    ] as const) {
      const end = async (answers: Parameters<typeof serviceOf>[0], plan = PLAN) =>
        finishReturn(worldOf(answers, unread), plan)
      const open = refusal('initial_not_successful', 409)
      expect(await end({ finalizePayment: [open] })).toEqual({ kind: 'problem', problem })
      expect(await end({ finalizePaypalSetup: [open] }, SET_UP)).toEqual({ kind: 'problem', problem })
      expect(await end({ finalizePayment: [LOST], claimReturn: [open] })).toEqual({ kind: 'problem', problem })
      // a secret is used up, or too old, only where the payment went through
      const used = { finalizePayment: [LOST], claimReturn: [refusal('link_expired', 410)] }
      expect(await end(used)).toEqual({ kind: 'elsewhere' })
    }
  })

  test('P-07 a success is settled at once and never said to wait', async () => {
    const world = worldOf({ finalizePayment: [SETTLED] })
    expect(await finishReturn(world, PLAN)).toEqual({
      kind: 'settled',
      sessionId: ID,
      productId: 'trial_1',
      nextPage: 'multi-upsell',
    })
    expect(world.sent).toEqual([['finalizePayment', { path: { sessionId: ID }, body: { paymentIntentId: 'pi_1' } }]])
    expect(world.onPending).not.toHaveBeenCalled()
  })

  test('P-07 processing shows the pending page at once and is asked about until it is settled', async () => {
    const world = worldOf({ finalizePayment: [PENDING, PENDING, SETTLED] }, { id: 'pi_1', status: 'processing' })
    expect(await finishReturn(world, PLAN)).toMatchObject({ kind: 'settled', sessionId: ID, productId: 'trial_1' })
    expect(world.asked()).toHaveLength(3)
    expect(world.onPending).toHaveBeenCalledTimes(1)
  })

  test('P-07 neither an undecided payment nor a silent service ends the wait, and the screen says so', async () => {
    for (const answer of [PENDING, noAnswer()]) {
      const world = worldOf({ finalizePayment: [...times(LOOKS, answer), SETTLED] })
      expect(await finishReturn(world, PLAN)).toMatchObject({ kind: 'settled', sessionId: ID })
      expect(world.onPending).toHaveBeenCalledTimes(1)
      expect(world.wait).toHaveBeenLastCalledWith(4_000)
    }
  })

  test('P-07 a payment that the service refuses has failed', async () => {
    const world = worldOf({ finalizePayment: [refusal('initial_not_successful', 409)] })
    expect(await finishReturn(world, PLAN)).toEqual({ kind: 'problem', problem: 'failed', status: 'succeeded' })
  })

  test('P-14 a second subscription is no failed payment: it is said, and that the payment goes back', async () => {
    expect(await finishReturn(worldOf({ finalizePayment: [refusal('already_subscribed', 409)] }), PLAN)).toMatchObject({
      kind: 'second',
      trouble: { code: 'already_subscribed', money: 'returned' },
    })
  })
})

describe('in another browser than the one that ordered', () => {
  test('P-07 the secret opens the session, once', async () => {
    const there = worldOf({ finalizePayment: [LOST, SETTLED], claimReturn: [claimed('pending')] })
    expect(await finishReturn(there, PLAN)).toMatchObject({ kind: 'settled', sessionId: OTHER, productId: 'trial_1' })
    expect(there.asked()).toEqual(['finalizePayment 1', 'claimReturn', 'finalizePayment 9'])
    expect(there.sent[1]?.[1]).toEqual({ body: { clientSecret: 'pi_1_secret_2' } })
    expect(there.onClaimed.mock.calls).toEqual([[OTHER]])

    const used = worldOf({ finalizePayment: [LOST], claimReturn: [refusal('link_expired', 410)] })
    expect(await finishReturn(used, PLAN)).toEqual({ kind: 'elsewhere' })
    expect(used.onClaimed).not.toHaveBeenCalled()

    const again = worldOf({ finalizePayment: [LOST], claimReturn: [claimed('pending')] })
    expect(await finishReturn(again, PLAN)).toEqual({ kind: 'elsewhere' })
    expect(again.asked().filter((name) => name === 'claimReturn')).toHaveLength(1)
  })

  test('P-07 the claim of a settled payment leads on without asking again', async () => {
    const world = worldOf({ finalizePayment: [LOST], claimReturn: [claimed('settled')] })
    expect(await finishReturn(world, PLAN)).toEqual({
      kind: 'settled',
      sessionId: OTHER,
      productId: 'trial_5',
      nextPage: 'multi-upsell',
    })
    expect(world.asked()).toEqual(['finalizePayment 1', 'claimReturn'])
  })

  test('P-07 a claim that gets no answer is made again after a wait', async () => {
    const world = worldOf({ finalizePayment: [LOST], claimReturn: [noAnswer(), BROKEN, claimed('settled')] })
    expect(await finishReturn(world, PLAN)).toMatchObject({ kind: 'settled', sessionId: OTHER })
    expect(world.wait.mock.calls).toEqual([[4_000], [4_000]])
  })

  test('P-07 the standard return without a session is opened by its secret, else it is a missing session', async () => {
    const plan: ReturnPlan = { ...PLAN, kind: 'standard', sessionId: null }
    const world = worldOf({ claimReturn: [claimed('settled', ID)] })
    expect(await finishReturn(world, plan)).toMatchObject({ kind: 'settled', sessionId: ID })
    expect(world.asked()).toEqual(['claimReturn'])
    expect(await finishReturn(worldOf({ claimReturn: [refusal('payment_not_found', 404)] }), plan)).toEqual({
      kind: 'problem',
      problem: 'session',
    })
  })
})

describe('the return from a set-up', () => {
  const seti = { id: 'seti_1', status: 'succeeded' }

  test('P-06 P-07 it is finished by its own call and never guessed', async () => {
    const world = worldOf({ finalizePaypalSetup: [refusal('service_unavailable', 503), PENDING, SETTLED] }, seti)
    expect(await finishReturn(world, SET_UP)).toEqual({
      kind: 'settled',
      sessionId: ID,
      productId: 'trial_1',
      nextPage: 'multi-upsell',
    })
    expect(world.sent).toEqual(
      times(3, ['finalizePaypalSetup', { path: { sessionId: ID }, body: { setupIntentId: 'seti_1' } }]),
    )
  })

  test('P-06 P-07 a missing customer has its own problem, any other refusal is unexpected', async () => {
    const end = async (code: 'customer_mismatch' | 'customer_missing' | 'not_found') =>
      finishReturn(worldOf({ finalizePaypalSetup: [refusal(code, 409)] }, seti), SET_UP)
    expect(await end('customer_missing')).toEqual({ kind: 'problem', problem: 'customer', status: 'succeeded' })
    expect(await end('customer_mismatch')).toEqual({ kind: 'problem', problem: 'unexpected', status: 'succeeded' })
    expect(await end('not_found')).toEqual({ kind: 'problem', problem: 'unexpected', status: 'succeeded' })
  })

  test('P-06 P-07 in another browser the secret of the set-up opens the session', async () => {
    const world = worldOf({ finalizePaypalSetup: [LOST, SETTLED], claimReturn: [claimed('pending')] }, seti)
    expect(await finishReturn(world, SET_UP)).toMatchObject({ kind: 'settled', sessionId: OTHER })
    expect(world.asked()).toEqual(['finalizePaypalSetup 1', 'claimReturn', 'finalizePaypalSetup 9'])
  })
})

import { describe, expect, test, vi } from 'vitest'
import type { Failure, Outcome } from '../session/http.ts'
import { finishReturn, type ReturnWorld } from './finish-return.ts'
import type { ReturnPlan } from './returns.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const PLAN: ReturnPlan = { kind: 'trial', sessionId: ID, intentId: 'pi_1', clientSecret: 'pi_1_secret_2' }
const ok = <T>(data: T): Outcome<T> => ({ ok: true, status: 200, data })
const no = (code: Failure['code'], status: number): Failure => ({
  ok: false,
  kind: 'refused',
  status,
  code,
  words: null,
  field: null,
  requestId: null,
})
const SETTLED = ok({ status: 'settled', productId: 'trial_1', subscriptionId: 'sub_1', nextPage: 'multi-upsell' })

/** A service that answers each endpoint from a list, repeating the last answer, and a record of what happened. */
function worldOf(answers: Record<string, Outcome<unknown>[]>, intent: Awaited<ReturnType<ReturnWorld['retrieve']>>) {
  const asked: string[] = []
  const call = vi.fn(async (name: string, options: { path?: { sessionId?: string } }) => {
    asked.push(options.path?.sessionId ? `${name} ${options.path.sessionId.at(-1)}` : name)
    const list = answers[name] ?? [no('internal', 500)]
    return list.length > 1 ? list.shift() : list[0]
  })
  const onPending = vi.fn()
  const onClaimed = vi.fn()
  const world: ReturnWorld = {
    call: call as unknown as ReturnWorld['call'],
    wait: async () => undefined,
    retrieve: async () => intent,
    onPending,
    onClaimed,
  }
  return { world, asked, onPending, onClaimed }
}
const DONE = { id: 'pi_1', status: 'succeeded' }

describe('what a return comes to', () => {
  test('P-07 the status is asked of Stripe; anything but success or processing is a problem', async () => {
    expect(await finishReturn(worldOf({}, 'no_provider').world, PLAN)).toEqual({ kind: 'problem', problem: 'provider' })
    expect(await finishReturn(worldOf({}, null).world, PLAN)).toEqual({ kind: 'problem', problem: 'retrieve' })
    expect(await finishReturn(worldOf({}, { id: 'pi_1', status: 'canceled' }).world, PLAN)).toEqual({
      kind: 'problem',
      problem: 'failed',
      status: 'canceled',
    })
  })

  test('P-07 processing shows the pending page and is asked about until it is settled', async () => {
    const pending = ok({ status: 'pending', productId: null, nextPage: 'checkout' })
    const { world, asked, onPending } = worldOf(
      { finalizePayment: [pending, pending, SETTLED] },
      { id: 'pi_1', status: 'processing' },
    )
    expect(await finishReturn(world, PLAN)).toMatchObject({ kind: 'settled', sessionId: ID, productId: 'trial_1' })
    expect(asked).toHaveLength(3)
    expect(onPending).toHaveBeenCalled()
  })

  test('P-07 in another browser the secret opens the session, once', async () => {
    const lost = no('session_token_missing', 401)
    const claimed = ok({ sessionId: ID.replace(/1$/, '9'), status: 'pending', nextPage: 'checkout' })
    const there = worldOf({ finalizePayment: [lost, SETTLED], claimReturn: [claimed] }, DONE)
    expect(await finishReturn(there.world, PLAN)).toMatchObject({ kind: 'settled', sessionId: ID.replace(/1$/, '9') })
    expect(there.asked).toEqual(['finalizePayment 1', 'claimReturn', 'finalizePayment 9'])
    expect(there.onClaimed).toHaveBeenCalledWith(ID.replace(/1$/, '9'))

    const used = worldOf({ finalizePayment: [lost], claimReturn: [no('link_expired', 410)] }, DONE)
    expect(await finishReturn(used.world, PLAN)).toEqual({ kind: 'elsewhere' })
  })

  test('P-07 the standard return without a session is opened by its secret, else it is a missing session', async () => {
    const plan: ReturnPlan = { ...PLAN, kind: 'standard', sessionId: null }
    const claimed = ok({ sessionId: ID, status: 'settled', nextPage: 'multi-upsell' })
    expect(await finishReturn(worldOf({ claimReturn: [claimed] }, DONE).world, plan)).toMatchObject({
      kind: 'settled',
      sessionId: ID,
    })
    expect(await finishReturn(worldOf({ claimReturn: [no('payment_not_found', 404)] }, DONE).world, plan)).toEqual({
      kind: 'problem',
      problem: 'session',
    })
  })

  test('P-06 P-07 a set-up is finished by its own call and never guessed', async () => {
    const plan: ReturnPlan = { ...PLAN, kind: 'setup', intentId: 'seti_1' }
    const { world, asked } = worldOf({ finalizePaypalSetup: [no('service_unavailable', 503), SETTLED] }, DONE)
    expect(await finishReturn(world, plan)).toMatchObject({ kind: 'settled', nextPage: 'multi-upsell' })
    expect(asked).toEqual(['finalizePaypalSetup 1', 'finalizePaypalSetup 1'])
    const refused = worldOf({ finalizePaypalSetup: [no('customer_mismatch', 409)] }, DONE)
    expect(await finishReturn(refused.world, plan)).toMatchObject({ kind: 'problem', problem: 'unexpected' })
    const nobody = worldOf({ finalizePaypalSetup: [no('customer_missing', 409)] }, DONE)
    expect(await finishReturn(nobody.world, plan)).toMatchObject({ kind: 'problem', problem: 'customer' })
  })
})

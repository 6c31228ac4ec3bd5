import { describe, expect, test, vi } from 'vitest'
import type { UpsellResult } from '../../contract/api.ts'
import type { AddOnId } from '../../contract/catalogue.ts'
import type { PayWorld } from '../checkout/payment/pay.ts'
import { chargeAll, chargeOne, orderTrouble, withOwned, type ChargeOutcome, type ChargeWorld } from './charge.ts'
import { trouble } from '../checkout/payment/failures.ts'
import { shownTerms } from '../../contract/terms.ts'

const EVIDENCE = {
  shown: shownTerms('bundle', new Date('2026-11-22T12:00:00Z'), 'UTC'),
  agreement: { words: 'w', version: '1', page: '/multi-upsell' },
}
const result = (over: Partial<UpsellResult>): UpsellResult => ({
  status: 'succeeded',
  productId: 'bundle',
  paymentIntentId: 'pi_1',
  clientSecret: null,
  ...over,
})

function world(answer: unknown, over: Partial<ChargeWorld> = {}): ChargeWorld {
  const call = async (name: string) =>
    name === 'chargeUpsell'
      ? answer
      : { ok: true, status: 200, data: { status: 'settled', productId: 'bundle', nextPage: 'x' } }
  return {
    call: call as unknown as PayWorld['call'],
    wait: async () => undefined,
    authenticate: vi.fn(async () => ({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })),
    leaveForPaypal: vi.fn(async () => ({})),
    ...over,
  }
}
const ok = (over: Partial<UpsellResult>) => ({ ok: true, status: 200, data: result(over) })
const words = (outcome: ChargeOutcome): string => (outcome.kind === 'failed' ? outcome.trouble.words : outcome.kind)

describe('charging one add-on', () => {
  test('U-04 every result state is followed to its end', async () => {
    const run = (answer: unknown, over?: Partial<ChargeWorld>) =>
      chargeOne(world(answer, over), 's', 'bundle', EVIDENCE)
    expect((await run(ok({}))).kind).toBe('bought')
    expect((await run(ok({ status: 'processing' }))).kind).toBe('bought')
    expect((await run(ok({ status: 'requires_action', clientSecret: 'x' }))).kind).toBe('bought')
    expect((await run(ok({ status: 'requires_new_card' }))).kind).toBe('needs_form')
    expect((await run(ok({ status: 'requires_paypal_redirect' }))).kind).toBe('needs_form')
    expect((await run(ok({ status: 'paypal_redirect_immediate' }))).kind).toBe('left')
    expect(words(await run(ok({ status: 'error', message: 'no_saved_context' })))).toBe(
      'No saved payment context found for this session.',
    )
    expect(words(await run(ok({ status: 'else' as UpsellResult['status'] })))).toBe('Unexpected payment result status')
  })

  test('U-04 a 3-D Secure step asks the buyer, and its refusal charges nothing', async () => {
    const onNews = vi.fn()
    const outcome = await chargeOne(
      world(ok({ status: 'requires_action', clientSecret: 'x' }), {
        onNews,
        authenticate: async () => ({ error: { type: 'card_error', message: 'Not verified.' } }),
      }),
      's',
      'bundle',
      EVIDENCE,
    )
    expect(onNews.mock.calls[0]?.[0]).toBe('Payment requires additional verification. Please follow the prompts.')
    expect(words(outcome)).toBe('Card error: Not verified.')
  })

  test('U-08 what is owned already counts as bought and is not charged again', async () => {
    const refused = {
      ok: false,
      kind: 'refused',
      status: 409,
      code: 'already_owned',
      words: null,
      field: null,
      requestId: null,
    }
    expect((await chargeOne(world(refused), 's', 'bundle', EVIDENCE)).kind).toBe('bought')
  })

  test('P-11 an order call that fails says so', async () => {
    const refused = {
      ok: false,
      kind: 'refused',
      status: 500,
      code: 'internal',
      words: null,
      field: null,
      requestId: null,
    }
    expect(words(await chargeOne(world(refused), 's', 'bundle', EVIDENCE))).toBe(
      'Failed to process order. Please try again.',
    )
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
    expect(orderTrouble(await chargeAll(['bundle'], async () => Promise.reject(new Error('x'))))?.words).toBe(
      'Payment processing failed. Please try again.',
    )
  })

  test('U-06 a method that cannot be charged stops the sequence for the card form', async () => {
    const end = await chargeAll(ids, async (productId) => ({ kind: 'needs_form', productId, clientSecret: null }))
    expect(end.stopped).toMatchObject({ kind: 'needs_form', productId: 'guide_devices' })
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
})

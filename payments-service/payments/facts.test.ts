import { describe, expect, test } from 'vitest'
import type { Deps } from '../deps.ts'
import type { Charge, Dispute, Intent, Refund } from '../stripe/objects.ts'
import { type FactKind, factsOf, readFacts } from './facts.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 10, minute))

const charge = (change: Partial<Charge> = {}): Charge => ({
  id: 'ch_1',
  succeeded: true,
  amount: 500,
  refunded: 0,
  disputed: false,
  cardCountry: 'US',
  addressCountry: null,
  addressRegion: null,
  created: at(1),
  ...change,
})
const intent = (change: Partial<Intent> = {}): Intent => ({
  id: 'pi_1',
  kind: 'payment',
  status: 'succeeded',
  amount: 700,
  currency: 'usd',
  clientSecret: 'pi_1_secret',
  customerId: 'cus_1',
  paymentMethodId: 'pm_1',
  paymentMethodType: 'card',
  methodTypes: ['card'],
  customerDeleted: false,
  metadata: {},
  created: at(0),
  charge: charge(),
  failure: null,
  ...change,
})
const refund = (status: Refund['status'], change: Partial<Refund> = {}): Refund => ({
  id: `re_${status}`,
  amount: 200,
  currency: 'usd',
  status,
  failureReason: null,
  ours: false,
  created: at(5),
  ...change,
})
const dispute = (status: Dispute['status']): Dispute => ({
  id: 'dp_1',
  amount: 500,
  currency: 'usd',
  status,
  created: at(9),
})
const kinds = (...of: Parameters<typeof factsOf>) => factsOf(...of).map(({ kind }) => kind)

describe('what an intent states', () => {
  test('P-04 P-10 a success is that of its charge; a set-up of value 0 has none and stands for itself', () => {
    expect(factsOf(intent(), [], [])).toEqual([
      { kind: 'succeeded', stripeId: 'ch_1', amount: 500, currency: 'usd', at: at(1) },
    ])
    const setup = intent({ id: 'seti_1', kind: 'setup', amount: 0, charge: null })
    expect(factsOf(setup, [], [])).toEqual([
      { kind: 'succeeded', stripeId: 'seti_1', amount: 0, currency: 'usd', at: at(0) },
    ])
  })

  test('P-04 P-10 a declined charge is a failure only while the intent waits for another method', () => {
    const declined = charge({ id: 'ch_no', succeeded: false })
    const waiting = intent({ status: 'requires_payment_method', charge: declined })
    expect(factsOf(waiting, [], [])).toEqual([
      { kind: 'failed', stripeId: 'ch_no', amount: 500, currency: 'usd', at: at(1) },
    ])
    expect(kinds(intent({ status: 'processing', charge: declined }), [], [])).toEqual([])
    expect(kinds(intent({ status: 'requires_payment_method', charge: null }), [], [])).toEqual([])
    expect(kinds(intent({ status: 'requires_payment_method' }), [], [])).toEqual([])
  })

  test('P-10 a cancelled intent says so once, with its own amount', () => {
    expect(factsOf(intent({ status: 'canceled', charge: null }), [], [])).toEqual([
      { kind: 'canceled', stripeId: 'pi_1', amount: 700, currency: 'usd', at: at(0) },
    ])
  })

  test('P-12 each refund is told by its status, with the reason of one that failed and who asked for it', () => {
    const refunds = [
      refund('pending'),
      refund('succeeded', { ours: true }),
      refund('failed', { failureReason: 'expired_or_canceled_card' }),
    ]
    const base = { amount: 200, currency: 'usd', at: at(5) }
    expect(factsOf(intent(), refunds, []).slice(1)).toEqual([
      { kind: 'refund_pending', stripeId: 're_pending', ...base, detail: null, ours: false },
      { kind: 'refunded', stripeId: 're_succeeded', ...base, detail: null, ours: true },
      { kind: 'refund_failed', stripeId: 're_failed', ...base, detail: 'expired_or_canceled_card', ours: false },
    ])
  })

  test.each([
    ['warning_needs_response', []],
    ['warning_under_review', []],
    ['warning_closed', []],
    ['prevented', []],
    ['needs_response', ['disputed']],
    ['under_review', ['disputed']],
    ['lost', ['disputed', 'dispute_lost']],
    ['appeal_needs_response', ['disputed', 'dispute_lost']],
    ['appeal_under_review', ['disputed', 'dispute_lost']],
    ['won', ['disputed', 'dispute_won']],
    ['a status of a later API version', ['disputed']],
  ] as [Dispute['status'], FactKind[]][])('P-12 a dispute that is “%s” states %j', (status, expected) => {
    const found = factsOf(intent(), [], [dispute(status)]).slice(1)
    expect(found.map(({ kind }) => kind)).toEqual(expected)
    for (const fact of found) expect(fact).toMatchObject({ stripeId: 'dp_1', amount: 500, currency: 'usd', at: at(9) })
  })
})

describe('what is read for it', () => {
  const read = async (found: Intent, known: FactKind[] = [], owed = false) => {
    const asked: string[] = []
    const stripe = {
      readIntent: async (id: string) => (asked.push(`intent ${id}`), found),
      readSetup: async (id: string) => (asked.push(`setup ${id}`), found),
      listRefunds: async (id: string) => (asked.push(`refunds ${id}`), [refund('succeeded')]),
      listDisputes: async (id: string) => (asked.push(`disputes ${id}`), [dispute('lost')]),
    }
    const result = await readFacts({ stripe } as unknown as Deps, found.id, { known, refunds: owed }, undefined)
    return { asked, kinds: result.facts.map(({ kind }) => kind), disputes: result.disputes.length }
  }

  test('P-10 nothing more than the intent where nothing was given back or disputed', async () => {
    expect(await read(intent())).toEqual({ asked: ['intent pi_1'], kinds: ['succeeded'], disputes: 0 })
    const setup = intent({ id: 'seti_1', kind: 'setup', charge: null })
    expect((await read(setup, ['succeeded', 'refunded'], true)).asked).toEqual(['setup seti_1'])
  })

  test('P-12 refunds where Stripe names some, where one is known, and where one is owed', async () => {
    const asked = ['intent pi_1', 'refunds pi_1']
    expect(await read(intent({ charge: charge({ refunded: 1 }) }))).toMatchObject({
      asked,
      kinds: ['succeeded', 'refunded'],
    })
    expect((await read(intent(), ['succeeded', 'refund_failed'])).asked).toEqual(asked)
    expect((await read(intent(), [], true)).asked).toEqual(asked)
  })

  test('P-12 disputes where the charge is disputed, and where one was', async () => {
    const asked = ['intent pi_1', 'disputes pi_1']
    expect(await read(intent({ charge: charge({ disputed: true }) }))).toEqual({
      asked,
      kinds: ['succeeded', 'disputed', 'dispute_lost'],
      disputes: 1,
    })
    expect((await read(intent(), ['succeeded', 'disputed'])).asked).toEqual(asked)
    expect((await read(intent({ charge: null, status: 'canceled' }), ['canceled'])).asked).toEqual(['intent pi_1'])
  })
})

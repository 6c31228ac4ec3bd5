import fc from 'fast-check'
import { expect, test } from 'vitest'
import { owedStanding, type RefundState } from './standing.ts'

const owed = { amount: 1767, before: 0, wanted: 1767, forgiven: 0, refusals: 0, refusal: null }
const refund = (state: RefundState['state'], amount = 1767, reason: string | null = null) => ({ amount, state, reason })

test('A-07 H-05 P-14 what is owed of a charge is refunded only when the bank agreed to all of it', () => {
  expect(owedStanding(owed, [], false)).toMatchObject({ status: 'waiting', due: 1767 })
  expect(owedStanding(owed, [refund('pending')], false)).toMatchObject({ status: 'pending', back: 0, due: 0 })
  expect(owedStanding(owed, [refund('succeeded')], false)).toMatchObject({ status: 'refunded', back: 1767 })
  const half = { ...owed, before: 1000, wanted: 767 }
  expect(owedStanding(half, [refund('succeeded', 1000)], false)).toMatchObject({ status: 'waiting', back: 0, due: 767 })
  const both = [refund('succeeded', 1000), refund('succeeded', 767)]
  expect(owedStanding(half, both, false)).toMatchObject({ status: 'refunded', back: 767 })
  // 500 of the charge were sent back by the bank: the rest of the charge is not owed
  const part = { ...owed, wanted: 500, forgiven: 0 }
  expect(owedStanding(part, [refund('failed', 500, 'unknown')], false)).toMatchObject({ status: 'waiting', due: 500 })
})

test('A-07 a refund that failed is tried three times where that can help, else a person has to look', () => {
  expect(owedStanding(owed, [refund('failed', 1767, 'lost_or_stolen_card')], false)).toMatchObject({
    status: 'impossible',
    reason: 'lost_or_stolen_card',
  })
  const declined = refund('failed', 1767, 'declined')
  expect(owedStanding(owed, [declined, declined], false).status).toBe('waiting')
  expect(owedStanding(owed, [declined, declined, declined], false).status).toBe('impossible')
  expect(owedStanding({ ...owed, forgiven: 3 }, [declined, declined, declined], false).status).toBe('waiting')
  expect(owedStanding({ ...owed, refusals: 3, refusal: 'x' }, [], false)).toMatchObject({
    status: 'impossible',
    reason: 'x',
  })
  expect(owedStanding(owed, [], true)).toMatchObject({ status: 'impossible', reason: 'charge_disputed' })
})

test('A-07 only what failed counts as a try, and a reason that nobody knows is tried again', () => {
  const declined = refund('failed', 1767, 'declined')
  expect(owedStanding(owed, [refund('succeeded', 500), declined, declined], false)).toMatchObject({
    status: 'waiting',
    due: 1267,
  })
  expect(owedStanding(owed, [refund('failed')], false)).toMatchObject({ status: 'waiting', reason: 'unknown' })
  expect(owedStanding(owed, [refund('failed', 1767, 'new_word')], false).status).toBe('waiting')
})

test('A-07 whatever happened to a charge: never more is asked for than is left of it', () => {
  const state = fc.record({
    amount: fc.integer({ min: 1, max: 800 }),
    state: fc.constantFrom('pending' as const, 'succeeded' as const, 'failed' as const),
    reason: fc.constantFrom(null, 'declined', 'lost_or_stolen_card'),
  })
  fc.assert(
    fc.property(
      fc.array(state, { maxLength: 4 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.boolean(),
      (list, before, taken) => {
        const about = { ...owed, before, wanted: 1767 - before }
        const { status, due, back } = owedStanding(about, list, taken)
        const out = list.filter((one) => one.state !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
        expect(due).toBeLessThanOrEqual(Math.max(0, 1767 - out))
        expect(back).toBeLessThanOrEqual(about.wanted)
        if (status === 'waiting') expect(due).toBeGreaterThan(0)
      },
    ),
  )
})

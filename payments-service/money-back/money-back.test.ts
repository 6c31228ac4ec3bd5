import { expect, test } from 'vitest'
import type { ExitContract } from '../../contract/exit.ts'
import { guaranteeStanding, withdrawalStanding } from './money-back.ts'

const day = (n: number) => new Date(Date.UTC(2026, 10, 1) + n * 86_400_000)
const paid = (purpose: string, amount: number, at: number, refunded = 0) => ({
  intentId: `pi_${purpose}_${at}`,
  purpose,
  amount,
  refunded,
  settledAt: day(at),
  orderedAt: day(at),
  begunAt: day(at),
  recordedAt: day(at),
})
/** The same, each with the end of the right to withdraw from it. */
const until = (end: Date | null, payments: ReturnType<typeof paid>[]) =>
  payments.map((payment) => ({ ...payment, until: end }))

test('A-07 seven sessions within thirty days give back what the subscription cost in those days', () => {
  const payments = [paid('first', 100, 0), paid('renewal:in_1', 3900, 3), paid('upsell:bundle', 2499, 0)]
  expect(guaranteeStanding(payments, 7, day(29))).toMatchObject({ eligible: true, amount: 4000 })
  expect(guaranteeStanding(payments, 6, day(29)).eligible).toBe(false)
  expect(guaranteeStanding(payments, 42, day(33)).eligible).toBe(false)
  const later = [...payments, paid('renewal:in_2', 3900, 33)]
  expect(guaranteeStanding(later, 7, day(20)).amount).toBe(4000)
  expect(guaranteeStanding([paid('first', 100, 0, 100)], 7, day(1))).toMatchObject({ eligible: false, amount: 0 })
  expect(guaranteeStanding([paid('upsell:bundle', 2499, 0)], 7, day(1))).toMatchObject({ eligible: false, until: null })
})

test('H-02 a withdrawal gives everything back, add-ons too, and does not exist elsewhere', () => {
  const payments = [paid('first', 100, 0), paid('upsell:bundle', 2499, 0, 1000)]
  expect(withdrawalStanding(until(day(14), payments), day(13))).toMatchObject({ eligible: true, amount: 1599 })
  expect(withdrawalStanding(until(day(14), payments), day(15)).eligible).toBe(false)
  expect(withdrawalStanding(until(null, payments), day(1))).toMatchObject({ eligible: false, amount: 0, payments: [] })
})

test('A-07 the last day counts to its last hour, where the buyer is', () => {
  const payments = [paid('first', 100, 0.5)]
  for (const [zone, until] of [
    ['UTC', '2026-12-01T23:59:59.999Z'],
    ['Europe/Vienna', '2026-12-01T22:59:59.999Z'],
    ['America/Los_Angeles', '2026-12-02T07:59:59.999Z'],
  ] as const) {
    const end = new Date(until)
    expect(guaranteeStanding(payments, 7, end, zone), zone).toMatchObject({ eligible: true, until: end })
    expect(guaranteeStanding(payments, 7, new Date(end.getTime() + 1), zone).eligible, zone).toBe(false)
  }
})

test('A-07 what was paid on the last day counts, in any order of payments; nothing is given back twice', () => {
  const payments = [paid('renewal:in_2', 3900, 30.9), paid('renewal:in_1', 3900, 3, 1000), paid('first', 100, 0)]
  const standing = guaranteeStanding(payments, 7, day(30.95), 'UTC')
  expect(standing).toMatchObject({ eligible: true, amount: 100 + 2900 + 3900 })
  expect(standing.payments.map(({ purpose }) => purpose)).toEqual(['first', 'renewal:in_1', 'renewal:in_2'])
  const back = guaranteeStanding([paid('first', 100, 0, 100), paid('renewal:in_1', 3900, 3)], 7, day(4))
  expect(back).toMatchObject({ amount: 3900, payments: [{ purpose: 'renewal:in_1' }] })
  expect(guaranteeStanding([], 7, day(1))).toEqual({ until: null, eligible: false, amount: 0, payments: [] })
})

test('H-02 the last moment of the right counts, and a payment that went back whole is none of it', () => {
  const whole = paid('upsell:bundle', 2499, 0, 2499)
  const standing = withdrawalStanding(until(day(14), [paid('first', 100, 0), whole]), day(14))
  expect(standing).toMatchObject({ until: day(14), eligible: true, amount: 100, payments: [paid('first', 100, 0)] })
  expect(withdrawalStanding(until(day(14), [whole]), day(1))).toMatchObject({ eligible: false, amount: 0 })
})

test('H-02 a withdrawal from one contract gives back what that one cost, and nothing of another', () => {
  const payments = [
    ...[paid('first', 100, 0), paid('renewal:in_1', 3900, 3)],
    ...[paid('upsell:bundle', 2499, 0), paid('reading', 1995, 1)],
  ]
  const given = (contract: ExitContract) =>
    withdrawalStanding(until(day(14), payments), day(5), { contract }).payments.map(({ purpose }) => purpose)
  expect(given('subscription')).toEqual(['first', 'renewal:in_1'])
  expect(given('guides')).toEqual(['upsell:bundle'])
  expect(given('everything')).toEqual(['first', 'renewal:in_1', 'upsell:bundle', 'reading'])
})

test('H-02 each order has its own days: a later one neither loses its own nor brings those of an earlier back', () => {
  const programme = until(day(14), [paid('first', 100, 0), paid('renewal:in_1', 3900, 3)])
  const guide = until(day(24), [paid('upsell:bundle', 2499, 10)])
  const all = [...programme, ...guide]
  expect(withdrawalStanding(all, day(12))).toMatchObject({ amount: 6499, until: day(14), endsSubscription: true })
  expect(withdrawalStanding(all, day(20))).toMatchObject({ amount: 2499, until: day(24), endsSubscription: false })
  expect(withdrawalStanding(all, day(25))).toMatchObject({ eligible: false, until: null, payments: [] })
  expect(withdrawalStanding(all, day(12), { contract: 'guides' })).toMatchObject({
    amount: 2499,
    endsSubscription: false,
  })
  // a start for nothing has days too
  const started = [...until(day(14), [paid('first', 0, 0)]), ...guide]
  expect(withdrawalStanding(started, day(12)).endsSubscription).toBe(true)
  expect(withdrawalStanding(started, day(20)).endsSubscription).toBe(false)
  const [free] = started
  expect(withdrawalStanding(free ? [free] : [], day(12))).toMatchObject({ eligible: true, amount: 0 })
})

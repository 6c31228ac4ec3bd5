import { expect, test } from 'vitest'
import { guaranteeStanding, withdrawalStanding } from './money-back.ts'

const day = (n: number) => new Date(Date.UTC(2026, 10, 1) + n * 86_400_000)
const paid = (purpose: string, amount: number, at: number, refunded = 0) => ({
  intentId: `pi_${purpose}_${at}`,
  purpose,
  amount,
  refunded,
  settledAt: day(at),
})

test('A-07 seven sessions within thirty days give back what the subscription cost in those days', () => {
  const payments = [paid('first', 100, 0), paid('renewal:in_1', 3900, 3), paid('upsell:bundle', 2499, 0)]
  expect(guaranteeStanding(payments, 7, day(29))).toMatchObject({ eligible: true, amount: 4000, until: day(30) })
  expect(guaranteeStanding(payments, 6, day(29)).eligible).toBe(false)
  expect(guaranteeStanding(payments, 42, day(30.01)).eligible).toBe(false)
  const later = [...payments, paid('renewal:in_2', 3900, 33)]
  expect(guaranteeStanding(later, 7, day(20)).amount).toBe(4000)
  expect(guaranteeStanding([paid('first', 100, 0, 100)], 7, day(1))).toMatchObject({ eligible: false, amount: 0 })
  expect(guaranteeStanding([paid('upsell:bundle', 2499, 0)], 7, day(1))).toMatchObject({ eligible: false, until: null })
})

test('H-02 a withdrawal gives everything back, add-ons too, and does not exist elsewhere', () => {
  const payments = [paid('first', 100, 0), paid('upsell:bundle', 2499, 0, 1000)]
  expect(withdrawalStanding(payments, day(14), day(13))).toMatchObject({ eligible: true, amount: 1599 })
  expect(withdrawalStanding(payments, day(14), day(15)).eligible).toBe(false)
  expect(withdrawalStanding(payments, null, day(1))).toMatchObject({ eligible: false, amount: 0, payments: [] })
})

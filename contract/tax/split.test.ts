import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taxBack, taxIn } from './split.ts'

const rates = fc.integer({ min: 0, max: 5000 })
const amounts = fc.integer({ min: 0, max: 1_000_000 })

test('P-15 tax is taken out of a price to the nearest cent, half a cent up', () => {
  expect(taxIn(3900, 1900)).toBe(623) // 622.69
  expect(taxIn(100, 2550)).toBe(20) // 20.32
  expect(taxIn(1767, 2700)).toBe(376) // 375.66
  expect(taxIn(3, 2000)).toBe(1) // 0.50
  expect(taxIn(1490, 0)).toBe(0)
  fc.assert(
    fc.property(amounts, rates, (price, rate) => {
      const tax = taxIn(price, rate)
      expect(Number.isInteger(tax)).toBe(true)
      expect(Math.abs(tax * (10_000 + rate) - price * rate) * 2).toBeLessThanOrEqual(10_000 + rate)
    }),
  )
})

test('P-15 A-07 however a payment is refunded, each part gives back tax, never too much, the whole all', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(parts, rates, (refunds, rate) => {
      const amount = refunds.reduce((sum, one) => sum + one, 0)
      const tax = taxIn(amount, rate)
      let [gone, given] = [0, 0]
      for (const refund of refunds) {
        const now = taxBack({ amount, tax }, gone + refund)
        const of = now - given
        expect(of).toBeGreaterThanOrEqual(0)
        expect(of).toBeLessThanOrEqual(refund)
        ;[gone, given] = [gone + refund, now]
      }
      expect(given).toBe(tax)
    }),
  )
})

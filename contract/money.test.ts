import { describe, expect, test } from 'vitest'
import { formatMoney, toCents, toDollars } from './money.ts'

describe('money', () => {
  test('P-02 every two-decimal amount from 0.01 to 9,999.99 survives the way to cents and back', () => {
    for (let cents = 1; cents <= 999_999; cents++) {
      if (toCents(toDollars(cents)) !== cents)
        throw new Error(`${cents} cents came back as ${toCents(toDollars(cents))}`)
    }
    expect(toCents(17.67)).toBe(1767)
  })

  test('an amount finer than a cent is refused instead of rounded', () => {
    expect(() => toCents(1.005)).toThrow(RangeError)
    expect(() => toCents(Number.NaN)).toThrow(RangeError)
  })

  test.each([
    [100, '$1'],
    [1767, '$17.67'],
    [1490, '$14.90'],
    [0, '$0'],
    [123_456, '$1,234.56'],
    [-500, '-$5'],
  ])('%i cents read %s', (cents, words) => expect(formatMoney(cents)).toBe(words))
})

import { describe, expect, test } from 'vitest'
import { CURRENCY, formatMoney, toCents, toDollars } from './money.ts'

describe('money', () => {
  test('P-02 every two-decimal amount to 999.99, and some to 99,999.99, survive the way to cents and back', () => {
    for (let cents = 1; cents <= 9_999_999; cents += cents < 99_999 ? 1 : 997) {
      if (toCents(toDollars(cents)) !== cents)
        throw new Error(`${cents} cents came back as ${toCents(toDollars(cents))}`)
    }
    expect(toCents(17.67)).toBe(1767)
  })

  test('P-03 everything is charged in US dollars', () => expect(CURRENCY).toBe('usd'))

  test('an amount finer than a cent is refused instead of rounded', () => {
    expect(() => toCents(1.005)).toThrow(new RangeError('1.005 is not an amount with at most two decimals'))
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

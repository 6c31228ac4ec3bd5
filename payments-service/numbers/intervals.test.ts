import { describe, expect, test } from 'vitest'
import { compare, difference, wilson } from './intervals.ts'

describe('intervals of shares', () => {
  // Newcombe 1998, Statistics in Medicine 17: 857, table I, method 3
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('D-09 of %i in %i is the one in the literature', (part, whole, low, high) => {
    const found = wilson({ part, whole })
    expect(found.low).toBeCloseTo(low, 4)
    expect(found.high).toBeCloseTo(high, 4)
  })

  // Newcombe 1998, Statistics in Medicine 17: 873, table II, method 10, as first − second
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [10, 10, 0, 10, 0.6075, 1],
  ])('D-09 of the difference of %i in %i and %i in %i is the one in the literature', (a, m, b, n, low, high) => {
    const found = difference({ part: b, whole: n }, { part: a, whole: m })
    expect(found.low).toBeCloseTo(low, 4)
    expect(found.high).toBeCloseTo(high, 4)
  })

  test('D-09 none and all of few are never certain, and a share of nothing is refused', () => {
    expect(wilson({ part: 0, whole: 10 }).high).toBeGreaterThan(0.25)
    expect(wilson({ part: 10, whole: 10 }).low).toBeLessThan(0.75)
    for (const whole of [0, -1, Number.NaN]) expect(() => wilson({ part: 0, whole })).toThrow(RangeError)
    expect(() => wilson({ part: 3, whole: 2 })).toThrow(RangeError)
  })

  test('D-09 81 % and 86 % of 600 visitors each are too few to tell, of 6,000 each they are not', () => {
    const share = (percent: number, whole: number) => ({ part: (whole * percent) / 100, whole })
    expect(compare(share(81, 600), share(86, 600))).toBe('too few to tell yet')
    expect(compare(share(81, 6_000), share(86, 6_000))).toBe('higher')
    expect(compare(share(86, 6_000), share(81, 6_000))).toBe('lower')
  })

  test('D-09 of fifty equal steps compared on one page, hardly ever one is called different', () => {
    let seed = 20_261_123
    const random = (): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return seed / 2 ** 32
    }
    const draw = (whole: number) => ({
      part: Array.from({ length: whole }, random).filter((one) => one < 0.85).length,
      whole,
    })
    const pages = Array.from({ length: 200 }, () =>
      Array.from({ length: 50 }, () => compare(draw(300), draw(300))).some((found) => found !== 'too few to tell yet'),
    )
    expect(pages.filter(Boolean).length).toBeLessThanOrEqual(20)
  })
})

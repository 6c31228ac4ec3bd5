/** How sure a share is (docs/metrics.md). */

export interface Share {
  part: number
  whole: number
}

export interface Interval {
  low: number
  high: number
}

/** Standard deviations of 95 %: what is shown beside a share. */
export const SHOWN = 1.959964
/**
 * Of 99.9 %: what it takes to call two shares different. A page compares up to fifty steps at once; at 95 % each, two
 * or three of them would differ by chance alone.
 */
export const CLAIMED = 3.290527

/** Wilson's score interval. Throws for a share of nothing. */
export function wilson({ part, whole }: Share, z = SHOWN): Interval {
  if (!(whole > 0) || part < 0 || part > whole) throw new RangeError(`${part} of ${whole} is no share`)
  const share = part / whole
  const zz = (z * z) / whole
  const middle = share + zz / 2
  const half = z * Math.sqrt((share * (1 - share)) / whole + zz / (4 * whole))
  // what is certain of none and of all is exact, not nearly so by rounding
  return {
    low: part === 0 ? 0 : (middle - half) / (1 + zz),
    high: part === whole ? 1 : (middle + half) / (1 + zz),
  }
}

/** Of `after` − `before`, made of both Wilson intervals (Newcombe's method 10). */
export function difference(before: Share, after: Share, z = SHOWN): Interval {
  const [a, b] = [wilson(before, z), wilson(after, z)]
  const [from, to] = [before.part / before.whole, after.part / after.whole]
  return {
    low: to - from - Math.hypot(to - b.low, a.high - from),
    high: to - from + Math.hypot(b.high - to, from - a.low),
  }
}

export type Verdict = 'higher' | 'lower' | 'too few to tell yet'

/** Whether two shares differ. */
export function compare(before: Share, after: Share): Verdict {
  const { low, high } = difference(before, after, CLAIMED)
  return low > 0 ? 'higher' : high < 0 ? 'lower' : 'too few to tell yet'
}

/**
 * The number in a fact. The small chart beside it is drawn from the words themselves, so it cannot contradict them
 * after an edit in the Studio.
 */
export type Figure =
  /** "80% of adults", "78% of participants": a share of people, in percent. */
  | { kind: 'share'; percent: number }
  /** "1 in 5", "8 of 10 users". */
  | { kind: 'count'; part: number; whole: number }
  /** "by up to 50%", "30% stronger": a change against 100. */
  | { kind: 'change'; percent: number; direction: 'up' | 'down' }
  /** "from 15-20 to 5-7 per minute": a range that becomes another. */
  | { kind: 'ranges'; from: readonly [number, number]; to: readonly [number, number] }
  /** "after 10 days", "5 minutes a day is 2.5 hours a month": plain numbers with their units. */
  | { kind: 'numbers'; values: readonly { value: number; unit: string }[] }

const LESS = /reduc|fewer|less|lower|fall|fell|drop|declin|decreas|\bcut\b/i

/** The figure in a text, or undefined where it has no number that can be drawn honestly. */
export function figureOf(text: string): Figure | undefined {
  const ranges = /(\d{1,9})\s*[-–]\s*(\d{1,9})\s+to\s+(\d{1,9})\s*[-–]\s*(\d{1,9})/.exec(text)?.slice(1).map(Number)
  if (ranges) {
    const [a = 0, b = 0, c = 0, d = 0] = ranges
    return { kind: 'ranges', from: [a, b], to: [c, d] }
  }
  const count = /\b(\d+) (?:in|of|out of) (\d+)\b/.exec(text)
  if (count) {
    const part = Number(count[1])
    const whole = Number(count[2])
    if (whole > 0 && whole <= 20 && part <= whole) return { kind: 'count', part, whole }
  }
  const percent = /(\d{1,9}(?:\.\d{1,9})?)\s?%/.exec(text)
  if (percent) {
    const value = Number(percent[1])
    if (/\bby (?:up to )?\d/.test(text) || /%\s+(?:stronger|faster|better|more|less|fewer)/.test(text)) {
      return { kind: 'change', percent: value, direction: LESS.test(text) ? 'down' : 'up' }
    }
    return value <= 100 ? { kind: 'share', percent: value } : undefined
  }
  const values = [...text.matchAll(/\b(\d+(?:\.\d+)?) (minutes?|days?|weeks?|hours?|feet|seconds?)\b/g)].map(
    (match) => ({
      value: Number(match[1]),
      unit: match[2] ?? '',
    }),
  )
  return values.length > 0 ? { kind: 'numbers', values } : undefined
}

/** How a part of the bench reports: one line per verdict, which main.ts collects into its table. */
let failed = false

/** Prints `ok` or `TOO MUCH`, the name, the figure and its limit. */
export function judge(name: string, value: number, limit: number, unit = ''): void {
  const wrong = !(value <= limit)
  failed ||= wrong
  const shown = (one: number) => (Number.isInteger(one) ? String(one) : one.toFixed(2))
  console.log(`${wrong ? 'TOO MUCH' : 'ok      '} ${name}: ${shown(value)}${unit} (at most ${shown(limit)}${unit})`)
}

/** The same for figures that must not fall below their limit. */
export function judgeLeast(name: string, value: number, limit: number, unit = ''): void {
  const wrong = !(value >= limit)
  failed ||= wrong
  console.log(`${wrong ? 'TOO MUCH' : 'ok      '} ${name}: ${value.toFixed(2)}${unit} (at least ${limit}${unit})`)
}

/** A figure without a limit. */
export function note(name: string, text: string): void {
  console.log(`         ${name}: ${text}`)
}

/** Ends the part: with 1 when a limit was passed. */
export function finish(): never {
  process.exit(failed ? 1 : 0)
}

export const median = (values: readonly number[]): number => {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The rules of an advertorial; pure. */
import type { Attribution } from '../../contract/attribution.ts'

/** V-01: what the links of an article carry on, in this order, where it is known. */
const CARRIED = ['fbclid', 'utm_source', 'utm_medium', 'utm_campaign'] as const

/** V-02: how long the thanks stand. */
export const THANKS_MS = 3_000

/** V-01: where an article leads: the landing page with its own bare utm. Works without a script. */
export function actionPath(utm: string): string {
  return `/?utm=${encodeURIComponent(utm)}`
}

/** An article's link with the stored attribution appended; what the link says itself stays. */
export function withAttribution(path: string, stored: Attribution): string {
  const [base = '/', query] = path.split('?')
  const parameters = new URLSearchParams(query)
  for (const key of CARRIED) {
    const value = stored[key]
    if (value && !parameters.has(key)) parameters.set(key, value)
  }
  return `${base}?${parameters}`
}

/** The age of a comment in words. */
export function daysAgoText(days: number): string {
  return days === 0 ? 'today' : days === 1 ? '1 day ago' : `${days} days ago`
}

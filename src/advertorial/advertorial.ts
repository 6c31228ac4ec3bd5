/** The rules of an advertorial; pure. */
import type { Attribution } from '../../contract/attribution.ts'

/** V-01: the parameters that an article's links carry, in this order, where known. */
const CARRIED = ['fbclid', 'utm_source', 'utm_medium', 'utm_campaign'] as const

/** V-02: how long the thanks are shown. */
export const THANKS_MS = 3_000

/** V-01: where an article leads: the landing page with the article's bare utm. Works without a script. */
export function actionPath(utm: string): string {
  return `/?utm=${encodeURIComponent(utm)}`
}

/** An article's link with the stored attribution appended; parameters already in the link stay. */
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

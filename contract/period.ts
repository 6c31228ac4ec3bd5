import { RENEWAL_DAYS } from './catalogue.ts'

export const PERIOD_UNITS = ['day', 'week', 'month', 'year'] as const

/** How often a subscription is charged, as Stripe counts it (docs.stripe.com/api/prices/object, recurring). */
export interface Period {
  unit: (typeof PERIOD_UNITS)[number]
  count: number
}

/** What an order agrees to (H-01). One that runs is charged as Stripe's price says, which an operator may change. */
export const ORDERED_PERIOD: Period = { unit: 'day', count: RENEWAL_DAYS }

/** "every 30 days", "every week". */
export const everyWords = ({ unit, count }: Period): string =>
  count === 1 ? `every ${unit}` : `every ${count} ${unit}s`

export const samePeriod = (a: Period, b: Period): boolean => a.unit === b.unit && a.count === b.count

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const

/** About how many days a period has. */
export const daysIn = ({ unit, count }: Period): number => count * DAYS[unit]

/** After the day of an end that comes within a period (isLastCutShort of terms.ts). */
export const LAST_CUT_SHORT = 'The last charge is only for the days until then.'

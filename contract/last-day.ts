import { dayIn } from './terms.ts'
import { DAY, HOUR } from './time.ts'

/** Where a day begins first, and where it ends last. */
const FIRST = 'Etc/GMT-14'
const LAST = 'Etc/GMT+12'

/**
 * The last moment of a right that lasts so many days, not counting the day of `from`: to the last hour of the last day
 * (Regulation 1182/71, Art. 3), because pages name that day alone. Where no zone is known, until the day is over
 * everywhere. Throws RangeError for an unknown zone.
 */
export function endOfDays(from: Date, days: number, timeZone: string | null): Date {
  const zone = timeZone ?? FIRST
  const counted = new Date(Date.parse(dayIn(from, zone)) + days * DAY).toISOString().slice(0, 10)
  // where the clocks change on the way, the same hours later may be a day more
  const later = dayIn(new Date(from.getTime() + days * DAY), zone)
  return endOfDay(counted > later ? counted : later, timeZone ?? LAST)
}

/** Found between the zones at both ends: the hour at which a zone's day ends has no name of its own in Intl. */
function endOfDay(day: string, timeZone: string): Date {
  const quarter = HOUR / 4
  const first = Date.parse(day) + DAY - 14 * HOUR
  let within = -1
  let after = (14 + 12) * 4
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2)
    if (dayIn(new Date(first + middle * quarter), timeZone) > day) after = middle
    else within = middle
  }
  return new Date(first + after * quarter - 1)
}

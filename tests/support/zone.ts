/** The time zone of the journeys' browsers. */

const HOUR = 3_600_000

/** The hour of the day in a zone; a format is made once, because making one costs more than a thousand uses. */
export const clockOf = (timeZone: string): ((at: Date) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23', timeZone })
  return (at) => Number(format.format(at))
}
const hourInNewYork = clockOf('America/New_York')

/**
 * A zone of the United States in which no journey passes the hour before midnight: from there on the first charge is a
 * day later, and an order whose words were shown before it is asked for again.
 */
export const zoneAt = (at: Date): 'America/Los_Angeles' | 'America/New_York' =>
  [0, 1].some((hours) => hourInNewYork(new Date(at.getTime() + hours * HOUR)) === 22)
    ? 'America/Los_Angeles'
    : 'America/New_York'

export const ZONE = zoneAt(new Date())

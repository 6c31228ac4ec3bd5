/** The time zone of the journeys' browsers. */

const HOUR = 3_600_000
const hourIn = (timeZone: string, at: Date): number =>
  Number(new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(at))

/**
 * A zone of the United States in which no journey passes the hour before midnight: from there on the first charge is a
 * day later, and an order whose words were shown before it is asked for again.
 */
export const zoneAt = (at: Date): string =>
  [0, 1].some((hours) => hourIn('America/New_York', new Date(at.getTime() + hours * HOUR)) === 22)
    ? 'America/Los_Angeles'
    : 'America/New_York'

export const ZONE = zoneAt(new Date())

import { expect, test } from 'vitest'
import { clockOf, zoneAt } from './zone.ts'

const HOURS = { 'America/Los_Angeles': clockOf('America/Los_Angeles'), 'America/New_York': clockOf('America/New_York') }

test('H-01 no journey orders while the day of the first charge changes where its browser is', () => {
  for (let quarter = 0; quarter < 4 * 24 * 366; quarter++) {
    const at = new Date(Date.UTC(2026, 10, 28, 0, 15 * quarter))
    const hourAt = HOURS[zoneAt(at)]
    const hours = [0, 15, 30, 45, 60].map((minutes) => hourAt(new Date(at.getTime() + minutes * 60_000)))
    if (/22,.*23/.test(hours.join())) expect.fail(`${at.toISOString()} in ${zoneAt(at)}: ${hours.join()}`)
  }
})

import { expect, test } from 'vitest'
import { zoneAt } from './zone.ts'

test('H-01 no journey orders while the day of the first charge changes where its browser is', () => {
  for (let quarter = 0; quarter < 4 * 24 * 366; quarter++) {
    const at = new Date(Date.UTC(2026, 10, 28, 0, 15 * quarter))
    const hours = [0, 15, 30, 45, 60].map((minutes) =>
      new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: zoneAt(at) }).format(
        new Date(at.getTime() + minutes * 60_000),
      ),
    )
    expect(hours.join(), at.toISOString()).not.toMatch(/22,.*23/)
  }
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfDays } from './last-day.ts'
import { dayIn } from './terms.ts'
import { DAY } from './time.ts'

const end = (from: string, zone: string | null, days = 14) => endOfDays(new Date(from), days, zone).toISOString()

test('H-02 A-07 the day of the order does not count, and the last one counts to its last hour', () => {
  expect(end('2026-11-01T00:00:00Z', 'UTC')).toBe('2026-11-15T23:59:59.999Z')
  expect(end('2026-11-01T23:59:59Z', 'UTC')).toBe('2026-11-15T23:59:59.999Z')
  expect(end('2026-11-01T23:30:00Z', 'Europe/Vienna')).toBe('2026-11-16T22:59:59.999Z')
  expect(end('2026-11-02T03:00:00Z', 'America/New_York')).toBe('2026-11-16T04:59:59.999Z')
  expect(end('2026-11-01T10:00:00Z', 'Asia/Kathmandu')).toBe('2026-11-15T18:14:59.999Z')
  expect(end('2026-11-01T10:00:00Z', 'Pacific/Kiritimati')).toBe('2026-11-16T09:59:59.999Z')
  expect(() => end('2026-11-01T10:00:00Z', 'Mars/Olympus')).toThrow(RangeError)
})

test('H-02 A-07 a change of the clocks on the way costs nobody a day', () => {
  // half past midnight on 20 October; fourteen times 24 hours later it is 2 November, and the fourteenth day the third
  expect(end('2026-10-19T22:30:00Z', 'Europe/Vienna')).toBe('2026-11-03T22:59:59.999Z')
  expect(end('2027-03-20T22:30:00Z', 'Europe/Vienna')).toBe('2027-04-04T21:59:59.999Z')
  // in Santiago that midnight does not exist
  expect(end('2026-08-22T12:00:00Z', 'America/Santiago')).toBe('2026-09-06T03:59:59.999Z')
})

test('H-02 A-07 never shorter than the days in hours; without a zone never shorter than in any', () => {
  const zones = ['UTC', 'Etc/GMT-14', 'Etc/GMT+12', ...Intl.supportedValuesOf('timeZone')]
  const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), fc.constantFrom(14, 30), (from, zone, days) => {
      const until = endOfDays(from, days, zone)
      const exact = new Date(from.getTime() + days * DAY)
      expect(until.getTime()).toBeGreaterThanOrEqual(exact.getTime())
      expect(dayIn(new Date(until.getTime() + 1), zone) > dayIn(until, zone)).toBe(true)
      expect(until.getTime() - exact.getTime()).toBeLessThanOrEqual(1.05 * DAY)
      expect(endOfDays(from, days, null).getTime()).toBeGreaterThanOrEqual(until.getTime())
    }),
  )
})

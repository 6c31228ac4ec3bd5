import { expect, test } from 'vitest'
import { daysIn, everyWords, ORDERED_PERIOD, samePeriod } from './period.ts'
import { periodAfter } from './terms.ts'

test('H-01 a period is said as people say it: one of a unit has no number', () => {
  const words = [
    ORDERED_PERIOD,
    { unit: 'day', count: 1 },
    { unit: 'day', count: 14 },
    { unit: 'week', count: 1 },
    { unit: 'week', count: 2 },
    { unit: 'month', count: 1 },
    { unit: 'month', count: 3 },
    { unit: 'year', count: 1 },
  ] as const
  expect(words.map(everyWords)).toEqual([
    'every 30 days',
    'every day',
    'every 14 days',
    'every week',
    'every 2 weeks',
    'every month',
    'every 3 months',
    'every year',
  ])
})

test('H-01 periods are the same only in unit and count: a month is not thirty days', () => {
  expect(samePeriod(ORDERED_PERIOD, { unit: 'day', count: 30 })).toBe(true)
  expect(samePeriod(ORDERED_PERIOD, { unit: 'day', count: 31 })).toBe(false)
  expect(samePeriod(ORDERED_PERIOD, { unit: 'month', count: 30 })).toBe(false)
})

test('H-01 a period ends where Stripe ends it: months and years by the calendar, never in the next month', () => {
  const from = new Date('2028-01-31T10:00:00Z')
  const end = (unit: 'day' | 'week' | 'month' | 'year', count: number) =>
    periodAfter(from, { unit, count }).toISOString().slice(0, 10)
  expect([end('day', 30), end('week', 2), end('month', 1), end('month', 2), end('year', 1)]).toEqual([
    '2028-03-01',
    '2028-02-14',
    '2028-02-29',
    '2028-03-31',
    '2029-01-31',
  ])
  const leapDay = new Date('2028-02-29T10:00:00Z')
  expect(periodAfter(leapDay, { unit: 'year', count: 1 }).toISOString()).toBe('2029-02-28T10:00:00.000Z')
})

test('A-05 the days that a page of the release before shows: exact for days and weeks', () => {
  expect([
    daysIn(ORDERED_PERIOD),
    daysIn({ unit: 'week', count: 2 }),
    daysIn({ unit: 'month', count: 3 }),
    daysIn({ unit: 'year', count: 1 }),
  ]).toEqual([30, 14, 90, 365])
})

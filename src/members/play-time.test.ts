import { expect, test } from 'vitest'
import { clock, createPlayTime, spoken } from './play-time.ts'
import { keptTitle, standingOf } from './words.ts'
import type { SubscriptionView } from '../../contract/members.ts'

test('A-07 minutes without a report, with the phone locked, count as far as they have passed', () => {
  let now = 0
  const time = createPlayTime(() => now)
  time.moved(0, true)
  now = 200_000
  time.moved(199.5, true)
  expect(time.pending()).toBe(199.5)
  now = 210_000
  time.moved(290, true)
  expect(time.pending()).toBe(199.5)
})

test('A-07 only sound that played counts: no seeking, no pause, no jump', () => {
  const time = createPlayTime()
  time.moved(0, true)
  time.moved(0.25, true)
  time.moved(0.5, true)
  expect(time.pending()).toBe(0.5)
  time.jumped(60)
  time.moved(60.25, true)
  expect(time.pending()).toBe(0.75)
  time.moved(90, true)
  time.moved(90.25, false)
  time.moved(10, true)
  expect(time.pending()).toBe(0.75)
  time.reported(0.5)
  expect(time.pending()).toBe(0.25)
})

test('A-05 times are read and heard', () => {
  expect([clock(67.8), clock(0), clock(600)]).toEqual(['1:07', '0:00', '10:00'])
  expect([spoken(67), spoken(1), spoken(61)]).toEqual(['1 minute 7 seconds', '1 second', '1 minute 1 second'])
  expect([spoken(60), spoken(120), spoken(0)]).toEqual(['1 minute', '2 minutes', '0 seconds'])
})

test('A-05 a subscription says what happens next, with date and amount', () => {
  const base = {
    id: '1',
    everyDays: 30,
    period: { unit: 'day', count: 30 },
    owed: null,
    accessUntil: null,
    nextCharge: null,
  } as unknown as SubscriptionView
  const at = '2026-11-23T15:00:00Z'
  expect(standingOf({ ...base, state: 'trial', nextCharge: { amount: 3900, at } }).next).toBe(
    'Next charge: $39 on November 23, 2026, then the same every 30 days until you cancel.',
  )
  // $5 are taken off the first full charge
  expect(standingOf({ ...base, state: 'trial', price: 3900, nextCharge: { amount: 3400, at } }).next).toBe(
    'Next charge: $34 on November 23, 2026, then $39 every 30 days until you cancel, before any discounts or extras.',
  )
  // moved in Stripe's dashboard; a service of the release before names only the days
  const trial = { ...base, state: 'trial', nextCharge: { amount: 3900, at } } as const
  expect(standingOf({ ...trial, period: { unit: 'week', count: 2 }, everyDays: 14 }).next).toBe(
    'Next charge: $39 on November 23, 2026, then the same every 2 weeks until you cancel.',
  )
  const { period, ...older } = trial
  expect([period.count, standingOf(older as SubscriptionView).next]).toEqual([
    30,
    'Next charge: $39 on November 23, 2026, then the same every 30 days until you cancel.',
  ])
  expect(standingOf({ ...base, state: 'ending', accessUntil: at }).next).toBe(
    'No further charge. Everything stays open until November 23, 2026.',
  )
  const unpaid = { ...base, state: 'unpaid', owed: 3900 } as const
  expect(standingOf(unpaid).next).toMatch(/^\$39 could not be charged.* with your progress\.$/)
  expect(standingOf({ ...unpaid, chargeAfterOwed: at }).next).toMatch(
    / The period after it is charged on November 23, 2026, unless you cancel before\.$/,
  )
})

test('H-04 a link that cannot keep a subscription any more does not say that the subscription continues', () => {
  const titles = (['trial', 'late', 'ending', 'cancelling', 'ended'] as const).map((state) =>
    keptTitle({ state } as SubscriptionView),
  )
  expect(titles).toEqual([
    'Your subscription continues',
    'Your subscription continues',
    'Your subscription is cancelled',
    'We have your cancellation',
    'Your subscription has ended',
  ])
})

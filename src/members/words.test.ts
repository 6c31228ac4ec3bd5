import { afterEach, expect, test, vi } from 'vitest'
import type { SubscriptionView } from '../../contract/members.ts'
import { isDone, standingOf } from './words.ts'

afterEach(() => void vi.useRealTimers())

test('A-05 "Done for today" holds for the calendar day of the member, from its morning to its midnight', () => {
  vi.useFakeTimers()
  const at = (now: Date, listened: Date) => {
    vi.setSystemTime(now)
    return isDone({ doneToday: false, lastListenedAt: listened.toISOString() })
  }
  // months count from 0; hours are of this machine's zone, as a browser's are
  const evening = new Date(2026, 10, 29, 22)
  expect(at(new Date(2026, 10, 29, 23, 59), new Date(2026, 10, 29, 6))).toBe(true)
  expect(at(new Date(2026, 10, 30, 0, 1), evening)).toBe(false)
  expect(at(new Date(2026, 10, 30, 7), evening)).toBe(false)
  // a service of before names no time
  expect([isDone({ doneToday: true }), isDone({ doneToday: true, lastListenedAt: null })]).toEqual([true, true])
})

test('A-05 H-04 whose charge failed after a cancellation reads the day of the end beside the next try', () => {
  const late = { state: 'late', owed: 3900, nextCharge: { amount: 3900, at: '2026-12-02T12:00:00.000Z' } }
  const next = (accessUntil: string | null) => standingOf({ ...late, accessUntil } as unknown as SubscriptionView).next
  const tried = 'We could not charge $39. We try again on December 2, 2026; everything stays open meanwhile.'
  expect(next(null)).toBe(tried)
  expect(next('2026-12-20T12:00:00.000Z')).toBe(`${tried} Your subscription ends on December 20, 2026.`)
})

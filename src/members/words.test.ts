import { afterEach, expect, test, vi } from 'vitest'
import { isDone } from './words.ts'

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

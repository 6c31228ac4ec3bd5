import { describe, expect, test } from 'vitest'
import { asCountdownStart, clockText, secondsLeft, startOf } from './countdown.ts'

describe('the countdown', () => {
  test('C-04 starts at 949 seconds, shown as 00:mm:ss, and survives a reload', () => {
    const start = startOf(undefined, 'a', 1_000)
    expect(clockText(secondsLeft(start, 1_000))).toBe('00:15:49')
    const reloaded = startOf(asCountdownStart(JSON.parse(JSON.stringify(start))), 'a', 61_000)
    expect(clockText(secondsLeft(reloaded, 61_000))).toBe('00:14:49')
    expect(secondsLeft(reloaded, 10_000_000)).toBe(0)
  })

  test('C-04 another session, a corrupted value or a clock set back start anew', () => {
    expect(startOf({ sessionId: 'a', startedAt: 0 }, 'b', 5).startedAt).toBe(5)
    expect(startOf({ sessionId: 'a', startedAt: 99 }, 'a', 5).startedAt).toBe(5)
    expect(asCountdownStart({ sessionId: 'a', startedAt: 'x' })).toBeUndefined()
  })
})

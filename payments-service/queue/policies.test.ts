import { describe, expect, test } from 'vitest'
import { POLICIES, waitAfter } from './policies.ts'

describe('the waits between tries', () => {
  test('P-10 what a dead worker had claimed is taken over within a minute, whatever kind of work it is', () => {
    for (const { lease } of Object.values(POLICIES)) expect(lease).toBeLessThan(60)
  })

  test('they double, have an end, and are spread by chance', () => {
    expect([1, 2, 3, 20].map((n) => waitAfter(POLICIES.mail, n, false, () => 1))).toEqual([15, 30, 60, 14_400])
    expect(waitAfter(POLICIES.mail, 2, false, () => 0)).toBe(15)
  })

  test('P-10 an event waits for Stripe at most 15 seconds, and for a fault of ours at most ten minutes', () => {
    expect([1, 2, 9, 99].map((n) => waitAfter(POLICIES.event, n, true, () => 1))).toEqual([2, 4, 15, 15])
    expect(waitAfter(POLICIES.event, 99, false, () => 1)).toBe(600)
    expect(POLICIES.event.tries).toBeNull()
  })

  test('A-06 a mail is tried for half a day and a job for more than two, before an operator has to look', () => {
    const lasts = ({ tries }: { tries: number }, policy: Parameters<typeof waitAfter>[0]) =>
      Array.from({ length: tries - 1 }, (_, n) => waitAfter(policy, n + 1, false, () => 0.5)).reduce((a, b) => a + b, 0)
    expect(lasts(POLICIES.mail, POLICIES.mail) / 3_600).toBeGreaterThan(9)
    expect(lasts(POLICIES.job, POLICIES.job) / 86_400).toBeGreaterThan(2)
  })
})

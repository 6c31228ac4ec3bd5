import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { termsOf } from '../../contract/terms.ts'
import { abandonedReminder, trialReminder } from './schedule.ts'

const start = new Date('2026-11-20T15:00:00Z')
const at = (text: string) => new Date(text)

describe('schedules of mails', () => {
  test('A-06 the reminder of a 3-day trial leaves two days to cancel', () => {
    const { firstChargeAt } = termsOf('trial_1', start)!
    expect(trialReminder(start, firstChargeAt)).toEqual({
      sendAt: at('2026-11-21T16:00:00Z'),
      notAfter: at('2026-11-23T15:00:00Z'),
    })
  })

  test('A-06 the reminder of a first month leaves seven days', () => {
    const { firstChargeAt } = termsOf('special_offer', start)!
    expect(trialReminder(start, firstChargeAt).sendAt).toEqual(at('2026-12-13T16:00:00Z'))
  })

  test('A-06 two weeks are the shortest long period; two days of notice need a period of three', () => {
    const hours = (count: number) => new Date(start.getTime() + count * 3_600_000)
    const remindedAt = (length: number) => trialReminder(start, hours(length)).sendAt
    expect(remindedAt(14 * 24)).toEqual(hours(7 * 24))
    expect(remindedAt(14 * 24 - 1)).toEqual(hours(12 * 24 - 1))
    expect(remindedAt(72)).toEqual(hours(24))
    expect(remindedAt(3)).toEqual(hours(1))
    // the last hour, or the second half of a shorter notice, is too late
    expect(trialReminder(start, hours(72)).notAfter).toEqual(hours(71))
    expect(trialReminder(start, hours(1.5)).notAfter).toEqual(hours(1))
  })

  test('A-06 whatever the length, the reminder lies inside the period and before the charge', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 400 * 86_400_000 }), (length) => {
        const end = new Date(start.getTime() + length)
        const { sendAt, notAfter } = trialReminder(start, end)
        return sendAt >= start && sendAt < notAfter && notAfter < end
      }),
    )
    expect(() => trialReminder(start, start)).toThrow(RangeError)
  })

  test('the reminder of an abandoned checkout comes once and not late', () => {
    expect(abandonedReminder(start)).toEqual({
      sendAt: at('2026-11-20T16:00:00Z'),
      notAfter: at('2026-11-23T15:00:00Z'),
    })
  })
})

import { describe, expect, test } from 'vitest'
import { oneMonthAhead, termsOf } from './terms.ts'

const at = (iso: string) => new Date(iso)

describe('terms', () => {
  test('H-01 a trial charges its tier now and $39 three days later, then every 30 days', () => {
    expect(termsOf('trial_5', at('2026-11-20T10:00:00Z'))).toEqual({
      now: 500,
      paidUntil: at('2026-11-23T10:00:00Z'),
      firstChargeAt: at('2026-11-23T11:00:00Z'),
      firstCharge: 3900,
      everyDays: 30,
    })
  })

  test('O-03 the special offer charges $19 now and $39 one calendar month ahead', () => {
    expect(termsOf('special_offer', at('2026-11-20T10:00:00Z'))).toEqual({
      now: 1900,
      paidUntil: at('2026-12-20T10:00:00Z'),
      firstChargeAt: at('2026-12-20T11:00:00Z'),
      firstCharge: 3900,
      everyDays: 30,
    })
  })

  test.each([
    ['2026-01-31T23:59:59Z', '2026-02-28T23:59:59Z'],
    ['2028-01-31T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['2026-12-31T12:00:00Z', '2027-01-31T12:00:00Z'],
    ['2026-03-31T12:00:00Z', '2026-04-30T12:00:00Z'],
  ])('O-03 one month after %s is %s', (from, to) => expect(oneMonthAhead(at(from))).toEqual(at(to)))

  test('H-01 an add-on starts nothing that renews', () => {
    expect(termsOf('bundle', at('2026-11-20T10:00:00Z'))).toBeUndefined()
  })
})

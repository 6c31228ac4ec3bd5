import { describe, expect, test } from 'vitest'
import { PRODUCT_IDS } from './catalogue.ts'
import { ORDERED_PERIOD, type Period } from './period.ts'
import {
  collectedAt,
  dayIn,
  isLastBefore,
  isLastCutShort,
  oneMonthAhead,
  sameTerms,
  type ShownTerms,
  shownTerms,
  termsOf,
} from './terms.ts'

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

  test('P-05 the monthly product charges $39 now and again 30 days later', () => {
    expect(termsOf('monthly', at('2026-11-20T10:00:00Z'))).toEqual({
      now: 3900,
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

  test('O-03 the moment that a month is counted from stays as it was', () => {
    const from = at('2026-01-31T12:00:00Z')
    oneMonthAhead(from)
    expect(from).toEqual(at('2026-01-31T12:00:00Z'))
  })

  test('H-01 what follows a paid period is collected an hour after its end', () => {
    expect(collectedAt(at('2026-11-23T23:30:00Z'))).toEqual(at('2026-11-24T00:30:00Z'))
  })

  test('H-01 add-ons and readings start nothing that renews', () => {
    const now = at('2026-11-20T10:00:00Z')
    const renewing = PRODUCT_IDS.filter((id) => termsOf(id, now))
    expect(renewing).toEqual(['trial_1', 'trial_5', 'trial_9', 'trial_1767', 'special_offer', 'monthly'])
    expect(shownTerms('bundle', now, 'UTC')).toEqual({ now: 2499, firstFull: null, timeZone: 'UTC' })
  })
})

describe('the figures beside a pay button', () => {
  // the charge comes at 23:30 UTC on 23 November
  const now = at('2026-11-20T22:30:00Z')

  test.each([
    ['UTC', '2026-11-23'],
    ['America/Los_Angeles', '2026-11-23'],
    ['Asia/Tokyo', '2026-11-24'],
    ['Pacific/Kiritimati', '2026-11-24'],
  ])('H-01 the day of the first full charge is the buyer’s own: in %s it is %s', (zone, on) => {
    expect(shownTerms('trial_5', now, zone)).toEqual({
      now: 500,
      firstFull: { amount: 3900, on, everyDays: 30 },
      timeZone: zone,
    })
  })

  test('H-01 P-06 a set-up for nothing today costs 0 now and the same later', () => {
    const paid = shownTerms('trial_5', now, 'UTC')
    expect(shownTerms('trial_5', now, 'UTC', true)).toEqual({ ...paid, now: 0 })
  })

  test('H-01 a zone that nobody knows reads as UTC; for a day by itself it is refused', () => {
    expect(shownTerms('trial_5', now, 'Mars/Olympus')).toMatchObject({
      timeZone: 'UTC',
      firstFull: { on: '2026-11-23' },
    })
    expect(() => dayIn(now, 'Mars/Olympus')).toThrow(RangeError)
    expect(dayIn(at('2026-03-05T00:00:00Z'), 'UTC')).toBe('2026-03-05')
  })

  test('H-01 a charge is the last one where the next would come at the end that is set, or after it', () => {
    const charge = '2026-11-23T11:00:00Z'
    expect(isLastBefore('2026-12-23T11:00:00Z', charge, ORDERED_PERIOD)).toBe(true)
    expect(isLastBefore('2026-12-23T11:00:01Z', at(charge), ORDERED_PERIOD)).toBe(false)
  })

  test('H-01 the last period is cut short by an end between two periods, by the calendar for months', () => {
    const from = at('2026-11-23T10:00:00Z')
    const short = (end: string, period: Period = ORDERED_PERIOD, start = from) => isLastCutShort(at(end), start, period)
    expect(['2026-11-23T10:00:00Z', '2026-12-23T10:00:00Z', '2027-01-22T10:00:00Z'].map((end) => short(end))).toEqual([
      false,
      false,
      false,
    ])
    expect(['2026-12-01T10:00:00Z', '2027-01-22T09:59:59Z'].map((end) => short(end))).toEqual([true, true])
    const monthly = { unit: 'month', count: 1 } as const
    expect(short('2027-03-31T10:00:00Z', monthly, at('2027-01-31T10:00:00Z'))).toBe(false)
    expect(short('2027-03-28T10:00:00Z', monthly, at('2027-01-31T10:00:00Z'))).toBe(true)
  })

  test('H-03 P-02 figures are the same when amounts, day and period are; the zone only names the day', () => {
    const terms = shownTerms('trial_5', now, 'UTC')
    const full = terms.firstFull as NonNullable<ShownTerms['firstFull']>
    expect(sameTerms(terms, { ...terms, timeZone: 'America/Los_Angeles' })).toBe(true)
    expect(sameTerms(terms, { ...terms, now: 501 })).toBe(false)
    for (const other of [{ amount: 3901 }, { on: '2026-11-24' }, { everyDays: 31 }]) {
      expect(sameTerms(terms, { ...terms, firstFull: { ...full, ...other } }), JSON.stringify(other)).toBe(false)
    }
    const once: ShownTerms = { ...terms, firstFull: null }
    expect(sameTerms(terms, once)).toBe(false)
    expect(sameTerms(once, terms)).toBe(false)
    expect(sameTerms(once, { ...once })).toBe(true)
  })
})

import { expect, test } from 'vitest'
import { EU } from '../countries.ts'
import { rateAt, regionIn, TAX_RATES } from './rates.ts'

const at = (day: string) => new Date(`${day}T00:00:00Z`)

test('P-15 every member state has a rate, from a day, by a law; five more countries are looked up', () => {
  const today = at('2026-11-23')
  for (const country of EU) expect(rateAt(country, today), country).toBeGreaterThanOrEqual(1500)
  expect(['GB', 'CH', 'AU', 'CA', 'US'].map((country) => rateAt(country, today))).toEqual([
    2000,
    810,
    1000,
    500,
    undefined,
  ])
  expect(rateAt('BR', today)).toBeUndefined()
  for (const { country, from, source } of TAX_RATES) {
    expect(Number.isNaN(Date.parse(from)), country).toBe(false)
    expect(source.length, country).toBeGreaterThan(8)
  }
  expect(new Set(TAX_RATES.map(({ country, from }) => `${country} ${from}`)).size).toBe(TAX_RATES.length)
})

test('P-15 in Canada the province decides, and where none is known the tax of the federation alone', () => {
  const today = at('2026-11-23')
  const rates = ['ON', 'NB', 'NL', 'PE', 'NS', 'QC', 'BC', 'NU'].map((region) => rateAt('CA', today, region))
  expect(rates).toEqual([1300, 1500, 1500, 1500, 1400, 500, 500, 500])
  expect(rateAt('CA', today, null)).toBe(500)
  expect(rateAt('CA', at('2025-03-31'), 'NS')).toBe(1500)
  expect([regionIn('CA', ' on '), regionIn('CA', 'Ontario'), regionIn('US', 'CA'), regionIn(null, 'ON')]).toEqual([
    'ON',
    null,
    null,
    null,
  ])
})

test('P-15 a rate that changes holds from its day on', () => {
  expect(rateAt('EE', at('2025-06-30'))).toBe(2200)
  expect(rateAt('EE', at('2025-07-01'))).toBe(2400)
  expect(rateAt('RO', new Date('2025-07-31T23:59:59Z'))).toBe(1900)
  expect(rateAt('RO', at('2025-08-01'))).toBe(2100)
})

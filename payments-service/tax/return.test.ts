import fc from 'fast-check'
import { expect, test } from 'vitest'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { EU } from '../../contract/countries.ts'
import { taxIn } from '../../contract/tax/split.ts'
import { taxOf } from './place.ts'
import { boundsOf, isQuarter, quarterOf } from './quarter.ts'
import { returnOf, type Sale } from './return.ts'

const COUNTRIES = [...EU, 'GB', 'CH', 'AU', 'CA', 'US']
const REGISTERED = [...EU, 'GB', 'CH', 'AU']
const QUARTERS = ['2026Q1', '2026Q2', '2026Q3', '2026Q4', '2027Q1']

const day = fc.integer({ min: 0, max: 454 }).map((days) => new Date(Date.UTC(2026, 0, 1 + days)))
const sale = fc
  .record({
    country: fc.constantFrom(...COUNTRIES),
    id: fc.constantFrom(...PRODUCT_IDS),
    paidAt: day,
    back: fc.array(fc.record({ amount: fc.integer({ min: 1, max: 1500 }), at: day }), { maxLength: 4 }),
  })
  .map(({ country, id, paidAt, back }): Sale => {
    const amount = product(id).price
    const about = taxOf({ amount, paidAt }, { card: country, address: null, network: null }, REGISTERED)
    let left = amount
    const within = back.flatMap((one) => {
      const part = Math.min(left, one.amount)
      left -= part
      return part > 0 && one.at >= paidAt ? [{ amount: part, at: one.at }] : []
    })
    const { tax_basis: basis, tax_rate: rate, tax_cents: tax } = about
    return { country, basis, rate, amount, tax, paidAt, back: within }
  })

test('P-15 a quarter begins and ends at midnight', () => {
  expect(boundsOf('2026Q4')).toEqual({ from: new Date('2026-10-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z') })
  expect(quarterOf(new Date('2026-09-30T23:59:59Z'))).toBe('2026Q3')
  expect(isQuarter('2026Q4')).toBe(true)
  for (const none of ['2026Q5', '2026-Q4', '1999Q1', '12026Q4', '2026Q41']) expect(isQuarter(none), none).toBe(false)
})

test('P-15 A-07 over all quarters the returns declare what buyers paid and did not get back, to the cent', () => {
  fc.assert(
    fc.property(fc.array(sale, { maxLength: 30 }), (sales) => {
      const rows = QUARTERS.map((quarter) => returnOf(quarter, sales)).flatMap((one) => [
        ...one.supplies,
        ...one.corrections,
      ])
      for (const country of COUNTRIES) {
        const mine = rows.filter((row) => row.country === country)
        const sum = mine.reduce((all, { taxable, tax }) => all + taxable + tax, 0)
        const kept = sales
          .filter((one) => one.country === country)
          .reduce((all, { amount, back }) => all + amount - back.reduce((gone, one) => gone + one.amount, 0), 0)
        expect(sum, country).toBe(kept)
      }
    }),
  )
})

test('P-15 what goes back in its own quarter lowers that supply; later it corrects the earlier quarter', () => {
  const base = { country: 'DE', basis: 'rate', rate: 1900, amount: 3900, tax: 623 }
  const paidAt = new Date('2026-09-20T10:00:00Z')
  const sold = { ...base, paidAt, back: [] }
  const part = { ...base, paidAt, back: [{ amount: 1000, at: new Date('2026-09-30T23:00:00Z') }] }
  const later = { ...base, paidAt, back: [{ amount: 3900, at: new Date('2026-10-01T00:00:00Z') }] }
  expect(returnOf('2026Q3', [sold, part, later])).toEqual({
    quarter: '2026Q3',
    supplies: [{ country: 'DE', basis: 'rate', rate: 1900, taxable: 3277 * 3 - 840, tax: 623 * 3 - 160 }],
    corrections: [],
  })
  expect(returnOf('2026Q4', [sold, part, later])).toEqual({
    quarter: '2026Q4',
    supplies: [],
    corrections: [{ of: '2026Q3', country: 'DE', basis: 'rate', taxable: -3277, tax: -623 }],
  })
  // a refund that the bank returned in the quarter after is owed again
  const returned = { ...later, back: [...later.back, { amount: -3900, at: new Date('2027-01-02T00:00:00Z') }] }
  expect(returnOf('2027Q1', [returned]).corrections).toMatchObject([{ of: '2026Q3', taxable: 3277, tax: 623 }])
})

test('P-15 a return has one row a country and rate, in their order, and none for an earlier sale that stands', () => {
  const sold = (country: string, rate: number, day: string): Sale => ({
    country,
    basis: 'rate',
    rate,
    amount: 3900,
    tax: taxIn(3900, rate),
    paidAt: new Date(`${day}T12:00:00Z`),
    back: [],
  })
  const back = (sale: Sale, at: string): Sale => ({ ...sale, back: [{ amount: 100, at: new Date(at) }] })
  const sales = [
    sold('SE', 2500, '2025-07-02'),
    sold('EE', 2400, '2025-08-01'),
    sold('EE', 950, '2025-07-01'),
    sold('DE', 1900, '2025-09-30'),
    sold('EE', 2400, '2025-07-09'),
    sold('FI', 2550, '2025-06-30'),
    back(sold('SE', 2500, '2025-05-01'), '2025-07-01T00:00:00Z'),
    back(sold('AT', 2000, '2025-05-01'), '2025-07-01T00:00:00Z'),
    back(sold('AT', 2000, '2025-05-01'), '2025-06-01T00:00:00Z'),
    back(sold('LV', 2100, '2025-01-01'), '2025-08-01T00:00:00Z'),
  ]
  const { supplies, corrections } = returnOf('2025Q3', sales)
  expect(supplies.map(({ country, rate, taxable, tax }) => [country, rate, taxable + tax])).toEqual([
    ['DE', 1900, 3900],
    ['EE', 950, 3900],
    ['EE', 2400, 7800],
    ['SE', 2500, 3900],
  ])
  expect(corrections.map(({ of, country, taxable, tax }) => [of, country, taxable + tax])).toEqual([
    ['2025Q1', 'LV', -100],
    ['2025Q2', 'AT', -100],
    ['2025Q2', 'SE', -100],
  ])
  // a cent that bears no tax is a correction too
  const cent = {
    ...sold('DE', 1900, '2025-06-01'),
    amount: 2,
    tax: 0,
    back: [{ amount: 1, at: sales[0]?.paidAt ?? new Date() }],
  }
  expect(returnOf('2025Q3', [cent]).corrections).toMatchObject([{ taxable: -1, tax: 0 }])
})

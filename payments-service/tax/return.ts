/** What a quarter's returns declare, country by country: a pure function of payments and of what went back of them. */
import { taxBack } from '../../contract/tax/split.ts'
import { boundsOf, type Quarter, quarterOf } from './quarter.ts'

export interface Sale {
  country: string | null
  /** Of payments.tax_basis. */
  basis: string
  /** In hundredths of a percent. */
  rate: number
  amount: number
  tax: number
  paidAt: Date
  /** Money that went back (or, below zero, came again: the bank returned a refund, a dispute was won), and when. */
  back: readonly { amount: number; at: Date }[]
}

/** Supplies of a quarter in one country at one rate, less what went back within it. */
export interface Supplies {
  country: string | null
  basis: string
  rate: number
  taxable: number
  tax: number
}

/** What went back of an earlier quarter's supplies in one country: below zero. */
export interface Correction {
  of: Quarter
  country: string | null
  basis: string
  taxable: number
  tax: number
}

export interface TaxReturn {
  quarter: Quarter
  supplies: Supplies[]
  corrections: Correction[]
}

function goneBy({ amount, back }: Sale, moment: Date): number {
  const sum = back.reduce((all, one) => (one.at < moment ? all + one.amount : all), 0)
  return Math.max(0, Math.min(amount, sum))
}

/** What is left of a sale at a moment. */
function leftOf(sale: Sale, moment: Date): { taxable: number; tax: number } {
  const gone = goneBy(sale, moment)
  const tax = sale.tax - taxBack(sale, gone)
  return { taxable: sale.amount - gone - tax, tax }
}

function add<Row extends { taxable: number; tax: number }>(rows: Map<string, Row>, key: string, row: Row): void {
  const known = rows.get(key)
  rows.set(key, known ? { ...known, taxable: known.taxable + row.taxable, tax: known.tax + row.tax } : row)
}

const sorted = <Row>(rows: Map<string, Row>): Row[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

export function returnOf(quarter: Quarter, sales: readonly Sale[]): TaxReturn {
  const { from, to } = boundsOf(quarter)
  const supplies = new Map<string, Supplies>()
  const corrections = new Map<string, Correction>()
  for (const sale of sales) {
    const { country, basis, rate, paidAt } = sale
    if (paidAt >= to) continue
    const now = leftOf(sale, to)
    if (paidAt >= from) {
      add(supplies, `${country} ${basis} ${String(rate).padStart(5, '0')}`, { country, basis, rate, ...now })
      continue
    }
    const before = leftOf(sale, from)
    const row = { of: quarterOf(paidAt), country, basis }
    const change = { taxable: now.taxable - before.taxable, tax: now.tax - before.tax }
    if (change.taxable !== 0 || change.tax !== 0)
      add(corrections, `${row.of} ${country} ${basis}`, { ...row, ...change })
  }
  return { quarter, supplies: sorted(supplies), corrections: sorted(corrections) }
}

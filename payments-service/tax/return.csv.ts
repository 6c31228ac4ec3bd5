import { EU } from '../../contract/countries.ts'
import type { Quarter } from './quarter.ts'
import type { TaxReturn } from './return.ts'

/** US dollars for one euro by the European Central Bank, on the last day of each quarter. */
export type EuroRates = Readonly<Record<Quarter, number>>

const HEAD = [
  'scheme',
  'part',
  'tax_period',
  'country',
  'rate_type',
  'vat_rate',
  'taxable_amount',
  'vat_amount',
  'currency',
]

const hundredths = (value: number): string => {
  const [sign, text] = [value < 0 ? '-' : '', String(Math.abs(value)).padStart(3, '0')]
  return `${sign}${text.slice(0, -2)}.${text.slice(-2)}`
}

/** oss: the EU's one-stop shop; national: a return of that country; untaxed: declared nowhere by this table. */
function schemeOf({ country, basis }: { country: string | null; basis: string }): 'oss' | 'national' | 'untaxed' {
  if (basis !== 'rate' || country === null) return 'untaxed'
  return EU.includes(country) ? 'oss' : 'national'
}

/**
 * A quarter's returns as CSV. The fields of `oss` rows are those of the VAT return (Implementing Regulation (EU)
 * 2020/194, Annex III): per member state of consumption rate, taxable amount and VAT amount (part 2), and per earlier
 * period and member state the VAT amount that its corrections come to (part 3). They are in euro where the rate of the
 * period that they belong to is given, as the return wants them, everything else in US dollars.
 */
export function csvOf({ quarter, supplies, corrections }: TaxReturn, euro: EuroRates): string {
  const money = (scheme: string, of: Quarter) => {
    const rate = scheme === 'oss' ? euro[of] : undefined
    const say = (cents: number): string => hundredths(rate === undefined ? cents : Math.round(cents / rate))
    return { say, currency: rate === undefined ? 'USD' : 'EUR' }
  }
  // the EU writes EL for Greece
  const place = (scheme: string, country: string | null) =>
    scheme === 'oss' && country === 'GR' ? 'EL' : (country ?? '')
  const sold = supplies.map((row) => {
    const scheme = schemeOf(row)
    const { say, currency } = money(scheme, quarter)
    const type = scheme === 'untaxed' ? row.basis : 'STANDARD'
    const where = place(scheme, row.country)
    return [scheme, 'supplies', quarter, where, type, hundredths(row.rate), say(row.taxable), say(row.tax), currency]
  })
  const corrected = corrections.map((row) => {
    const scheme = schemeOf(row)
    const { say, currency } = money(scheme, row.of)
    // part 3 of the return asks for the VAT amount alone
    const taxable = scheme === 'oss' ? '' : say(row.taxable)
    return [scheme, 'correction', row.of, place(scheme, row.country), '', '', taxable, say(row.tax), currency]
  })
  return [HEAD, ...sold, ...corrected].map((cells) => `${cells.join(',')}\r\n`).join('')
}

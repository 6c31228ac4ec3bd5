import type { TaxName } from '../tax-words.ts'

/**
 * The standard rate of the tax on digital services, country by country and from which day: the tax that is in every
 * price and is taken out of it by the buyer's country. No advice: a rate that is not `checked` was written from memory.
 * Reduced rates, and parts of a country with a rate of their own (the Canaries, Madeira, Livigno …), are not applied:
 * what is known of a buyer's place is the country. Only of Canada the provinces are looked for.
 */
export interface TaxRate {
  /** ISO 3166: a country, or a part of it with a rate of its own (CA-ON). */
  country: string
  /** In hundredths of a percent of the net price: 2550 is 25.5 %. Null: no one rate holds in all of the country. */
  rate: number | null
  /** The first day, as an ISO date. */
  from: string
  /** The law that says so, or why there is no one rate. */
  source: string
  /** Whether the rate was compared with another text than memory (above the rows); days of long ago were not. */
  checked: boolean
}

const row = (country: string, percent: number | null, from: string, source: string, checked: boolean): TaxRate => ({
  country,
  rate: percent === null ? null : Math.round(percent * 100),
  from,
  source,
  checked,
})

/** Rates of the EU and GB: github.com/ibericode/vat-rates; Romania: Law 141/2025 in an excerpt at regfollower.com. */
const EUROPEAN_UNION: readonly TaxRate[] = [
  row('AT', 20, '1984-01-01', 'UStG 1994 § 10(1)', true),
  row('BE', 21, '1996-01-01', 'Arrêté royal n° 20, art. 1', true),
  row('BG', 20, '1999-01-01', 'ZDDS art. 66(1)', true),
  row('CY', 19, '2014-01-13', 'VAT Law 95(I)/2000, s. 17', true),
  row('CZ', 21, '2013-01-01', 'Act 235/2004, § 47(1)(a)', true),
  row('DE', 19, '2021-01-01', 'UStG § 12(1)', true),
  row('DK', 25, '1992-01-01', 'Momsloven § 33', true),
  row('EE', 22, '2024-01-01', 'Käibemaksuseadus § 15(1)', true),
  row('EE', 24, '2025-07-01', 'Käibemaksuseadus § 15(1)', true),
  row('ES', 21, '2012-09-01', 'Ley 37/1992, art. 90', true),
  row('FI', 25.5, '2024-09-01', 'Arvonlisäverolaki § 84', true),
  row('FR', 20, '2014-01-01', 'CGI, art. 278', true),
  row('GR', 24, '2016-06-01', 'VAT Code, art. 21', true),
  row('HR', 25, '2012-03-01', 'Zakon o PDV-u, čl. 38', true),
  row('HU', 27, '2012-01-01', 'Act CXXVII of 2007, § 82(1)', true),
  row('IE', 23, '2021-03-01', 'VAT Consolidation Act 2010, s. 46(1)(a)', true),
  row('IT', 22, '2013-10-01', 'D.P.R. 633/1972, art. 16', true),
  row('LT', 21, '2009-09-01', 'PVM įstatymas, 19 str. 1', true),
  row('LU', 17, '2024-01-01', 'Loi TVA, art. 39(3)', true),
  row('LV', 21, '2012-07-01', 'PVN likums, 41. pants', true),
  row('MT', 18, '2004-01-01', 'VAT Act, Cap. 406, art. 19', true),
  row('NL', 21, '2012-10-01', 'Wet OB 1968, art. 9(1)', true),
  row('PL', 23, '2011-01-01', 'Ustawa o VAT, art. 41(1) with art. 146aa, 146ef', true),
  row('PT', 23, '2011-01-01', 'CIVA, art. 18(1)(c)', true),
  row('RO', 19, '2017-01-01', 'Codul fiscal, art. 291(1)', true),
  row('RO', 21, '2025-08-01', 'Codul fiscal, art. 291(1), as of Law 141/2025', true),
  row('SE', 25, '1990-07-01', 'Mervärdesskattelagen 2023:200, 9 kap. 2 §', true),
  row('SI', 22, '2013-07-01', 'ZDDV-1, art. 41(1)', true),
  row('SK', 23, '2025-01-01', 'Act 222/2004, § 27(1)', true),
]

/**
 * Switzerland and Liechtenstein: excerpts at brag.ch and lirex.one; Canada: canada.ca on rates and place of supply, of
 * Nova Scotia SOR/2025-77 at gazette.gc.ca.
 */
const OTHERS: readonly TaxRate[] = [
  row('GB', 20, '2011-01-04', 'VAT Act 1994, s. 2(1)', true),
  row('CH', 8.1, '2024-01-01', 'MWSTG Art. 25(1): owed from CHF 100,000 of sales anywhere in a year', true),
  row('LI', 8.1, '2024-01-01', 'Liechtenstein MWSTG Art. 25: as in Switzerland', true),
  row('NO', 25, '2005-01-01', 'Merverdiavgiftsloven § 5-1: owed from NOK 50,000 in a year', false),
  row('IS', 24, '2015-01-01', 'Act 50/1988, art. 14: owed from ISK 2,000,000 in a year', false),
  row('AU', 10, '2000-07-01', 'GST Act 1999, s. 9-70: owed from AUD 75,000 in a year', false),
  row('CA', 5, '2021-07-01', 'Excise Tax Act, s. 165(1): GST, owed from CAD 30,000 in a year', true),
  row('CA-ON', 13, '2021-07-01', 'Excise Tax Act, s. 165(2): HST', true),
  row('CA-NB', 15, '2021-07-01', 'Excise Tax Act, s. 165(2): HST', true),
  row('CA-NL', 15, '2021-07-01', 'Excise Tax Act, s. 165(2): HST', true),
  row('CA-PE', 15, '2021-07-01', 'Excise Tax Act, s. 165(2): HST', true),
  row('CA-NS', 15, '2021-07-01', 'Excise Tax Act, s. 165(2): HST', true),
  row('CA-NS', 14, '2025-04-01', 'New Harmonized Value-added Tax System Regulations, s. 33.6: HST', true),
  row('US', null, '2018-06-21', 'Each state has its own tax, threshold and rule for digital services (Wayfair)', false),
]

export const TAX_RATES: readonly TaxRate[] = [...EUROPEAN_UNION, ...OTHERS]

/** Territories that count as another country for this tax: Directive 2006/112/EC, Art. 7 (Monaco, the Isle of Man). */
const COUNTS_AS: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' }
export const taxCountry = (country: string): string => COUNTS_AS[country] ?? country

/** The parts of Canada, by the codes of wallets and front doors. Outside the HST provinces GST alone is computed. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '),
}
/** The part of a country as far as it decides a rate; null: of no such country, or unknown. */
export function regionIn(country: string | null, named: string | null | undefined): string | null {
  const region = named?.trim().toUpperCase() ?? ''
  return country !== null && REGIONS[country]?.includes(region) ? region : null
}

/** The rate at a moment (the day is that of UTC), a part's before its country's; undefined where the table has none. */
export function rateAt(country: string, at: Date, region: string | null = null): number | undefined {
  const day = at.toISOString().slice(0, 10)
  const latest = (place: string): number | undefined =>
    TAX_RATES.filter((one) => one.country === place && one.from <= day).reduce<TaxRate | undefined>(
      (last, one) => (last && last.from > one.from ? last : one),
      undefined,
    )?.rate ?? undefined
  return (region === null ? undefined : latest(`${country}-${region}`)) ?? latest(country)
}

/** What the tax is called where the buyer is. */
const NAMES: Readonly<Record<string, TaxName>> = { AU: 'GST', CA: 'GST/HST' }
export const taxName = (country: string): TaxName => NAMES[country] ?? 'VAT'

import type { Cents } from './money.ts'

/** What a tax on sales is called. */
export type TaxName = 'VAT' | 'GST' | 'GST/HST'

/** The tax in a payment, as receipts state it. */
export interface TaxShare {
  /** What it is called where the buyer is. */
  name: TaxName
  /** Where it is owed (ISO 3166). */
  country: string
  /** In hundredths of a percent of the net: 2550 is 25.5 %. */
  rate: number
  netAmount: Cents
  taxAmount: Cents
}

/** "VAT 19% (Germany)". */
export const taxLabel = ({ name, country, rate }: Pick<TaxShare, 'name' | 'country' | 'rate'>): string =>
  `${name} ${rate / 100}% (${new Intl.DisplayNames(['en'], { type: 'region' }).of(country)})`

/** Beside a price, where the law wants it said that the tax is in it (PAngV § 6(1)): "incl. VAT". */
export const includingTax = (name: string): string => `incl. ${name}`

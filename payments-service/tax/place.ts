import type { Cents } from '../../contract/money.ts'
import { rateAt, regionIn, taxCountry } from '../../contract/tax/rates.ts'
import { taxIn } from '../../contract/tax/split.ts'

/** What says where a buyer is, each by its own source; null: it says nothing. */
export interface Evidence {
  /** The country of the card, or of the PayPal account. */
  card: string | null
  /** The country of the billing address, which wallets send along. */
  address: string | null
  /** The country that the proxy in front named at the visit (COUNTRY_HEADER). */
  network: string | null
  /** The part of its country that the billing address names, and that of the network. */
  addressRegion?: string | null
  networkRegion?: string | null
}

const known = (country: string | null): string | null => (country && /^[A-Z]{2}$/.test(country) ? country : null)

/**
 * Where a buyer is: what two facts agree on, as Implementing Regulation (EU) 282/2011, Art. 24b wants it. Without two
 * that agree, the bank counts most, since neither buyer nor seller can choose what it says; then the address, then the
 * network, which a VPN moves. Null: nothing says anything.
 */
export function placeOf({ card, address, network }: Evidence): string | null {
  const named = [card, address, network].flatMap((country) => known(country) ?? [])
  return named.find((country, at) => named.indexOf(country) !== at) ?? named[0] ?? null
}

/** The part of the buyer's country, where that decides the rate: by the address, else by the network. */
const regionOf = (country: string | null, evidence: Evidence): string | null =>
  (evidence.address === country ? regionIn(country, evidence.addressRegion) : null) ??
  (evidence.network === country ? regionIn(country, evidence.networkRegion) : null)

/** Whether tax is taken out for this place at a moment, and why not. */
function ruleFor(place: string | null, at: Date, registered: readonly string[], evidence?: Evidence) {
  const country = place && taxCountry(place)
  const region = evidence ? regionOf(country, evidence) : null
  const rate = country ? rateAt(country, at, region) : undefined
  if (!country) return { country, region, basis: 'no_place' as const, rate: 0 }
  if (rate === undefined) return { country, region, basis: 'no_rate' as const, rate: 0 }
  return registered.includes(country)
    ? { country, region, basis: 'rate' as const, rate }
    : { country, region, basis: 'unregistered' as const, rate: 0 }
}

/**
 * The columns of a payment about its tax. Pure, and never an error: where the place is unknown, nothing is declared
 * there or the table has no rate, no tax is taken out and `tax_basis` says why. But what the order page said holds
 * (taxTold): an amount "incl. VAT" includes it, so it is the network's where the bank's country has none.
 * `registered`: the countries in which this shop declares tax.
 */
export function taxOf(
  { amount, paidAt }: { amount: Cents; paidAt: Date },
  evidence: Evidence,
  registered: readonly string[],
) {
  const found = ruleFor(placeOf(evidence), paidAt, registered, evidence)
  const told = ruleFor(known(evidence.network), paidAt, registered, evidence)
  const { country, region, basis, rate } = found.basis !== 'rate' && told.basis === 'rate' ? told : found
  return {
    card_country: known(evidence.card),
    address_country: known(evidence.address),
    network_country: known(evidence.network),
    tax_country: country,
    tax_region: region,
    tax_basis: basis,
    tax_rate: rate,
    tax_cents: taxIn(amount, rate),
  }
}

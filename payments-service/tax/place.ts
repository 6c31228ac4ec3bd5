import type { Cents } from '../../contract/money.ts'
import { rateAt, taxCountry, taxName } from '../../contract/tax/rates.ts'
import { taxIn } from '../../contract/tax/split.ts'

/** What says where a buyer is, each by its own source; null: it says nothing. */
export interface Evidence {
  /** The country of the card, or of the PayPal account. */
  card: string | null
  /** The country of the billing address, which wallets send along. */
  address: string | null
  /** The country that the proxy in front named at the visit (COUNTRY_HEADER). */
  network: string | null
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

/** Whether tax is taken out for this place at a moment, and why not. */
function ruleFor(place: string | null, at: Date, registered: readonly string[]) {
  const country = place && taxCountry(place)
  const rate = country ? rateAt(country, at) : undefined
  if (!country) return { country, basis: 'no_place' as const, rate: 0 }
  if (rate === undefined) return { country, basis: 'no_rate' as const, rate: 0 }
  return registered.includes(country)
    ? { country, basis: 'rate' as const, rate }
    : { country, basis: 'unregistered' as const, rate: 0 }
}

/**
 * What an order page says of the tax in its amounts, when nothing but the network is known; null: nothing. Where the
 * shop declares taxes of several names, all of them: the bank may still name another country.
 */
export function taxTold(network: string | null, registered: readonly string[], at = new Date()): string | null {
  if (ruleFor(known(network), at, registered).basis !== 'rate') return null
  return [...new Set(registered.map(taxName))].join('/')
}

/**
 * The columns of a payment about its tax. Pure, and never an error: where the place is unknown, nothing is declared
 * there or the table has no rate, no tax is taken out and `tax_basis` says why. But what the order page said holds: an
 * amount "incl. VAT" includes it, so it is the network's where the bank's country has none. `registered`: the countries
 * in which this shop declares tax.
 */
export function taxOf(
  { amount, paidAt }: { amount: Cents; paidAt: Date },
  evidence: Evidence,
  registered: readonly string[],
) {
  const found = ruleFor(placeOf(evidence), paidAt, registered)
  const told = ruleFor(known(evidence.network), paidAt, registered)
  const { country, basis, rate } = found.basis !== 'rate' && told.basis === 'rate' ? told : found
  return {
    card_country: known(evidence.card),
    address_country: known(evidence.address),
    network_country: known(evidence.network),
    tax_country: country,
    tax_basis: basis,
    tax_rate: rate,
    tax_cents: taxIn(amount, rate),
  }
}

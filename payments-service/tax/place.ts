import type { Cents } from '../../contract/money.ts'
import { rateAt, taxCountry } from '../../contract/tax/rates.ts'
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

/**
 * The columns of a payment about its tax. Pure, and never an error: where the place is unknown, nothing is declared
 * there or the table has no rate, no tax is taken out and `tax_basis` says why. `registered`: the countries in which
 * this shop declares tax.
 */
export function taxOf(
  { amount, paidAt }: { amount: Cents; paidAt: Date },
  evidence: Evidence,
  registered: readonly string[],
) {
  const place = placeOf(evidence)
  const country = place && taxCountry(place)
  const rate = country ? rateAt(country, paidAt) : undefined
  const basis = !country
    ? ('no_place' as const)
    : rate === undefined
      ? ('no_rate' as const)
      : registered.includes(country)
        ? ('rate' as const)
        : ('unregistered' as const)
  const applied = basis === 'rate' ? (rate ?? 0) : 0
  return {
    card_country: known(evidence.card),
    address_country: known(evidence.address),
    network_country: known(evidence.network),
    tax_country: country,
    tax_basis: basis,
    tax_rate: applied,
    tax_cents: taxIn(amount, applied),
  }
}

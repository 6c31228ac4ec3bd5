import { rateAt, taxCountry, taxName } from './rates.ts'

/**
 * What an order page calls the tax in its amounts, when nothing but the network's country is known; null: it says
 * nothing. Where the shop declares taxes of several names, all of them: the bank may still name another country.
 */
export function taxTold(network: string | null, registered: readonly string[], at = new Date()): string | null {
  const country = network && taxCountry(network)
  if (!country || !registered.includes(country) || rateAt(country, at) === undefined) return null
  return [...new Set(registered.flatMap((one) => taxName(one).split('/')))].join('/')
}

import {
  DUTIES,
  DUTY_IDS,
  type DutyId,
  inForce,
  type Jurisdiction,
  JURISDICTION_IDS,
  JURISDICTIONS,
  jurisdictionsOf,
} from '../../contract/duties/table.ts'
import type { Document, LaunchReport } from './finding.ts'

/** Where the settings decide whether a duty is met: the list that a country has to be in, or must not be in. */
const LISTS = [
  { duty: 'payment_label', field: 'strictBuyingCountries', listed: true },
  { duty: 'pre_selection', field: 'strictBuyingCountries', listed: true },
  { duty: 'withdrawal', field: 'strictBuyingCountries', listed: true },
  { duty: 'health_consent', field: 'healthConsentRegions', listed: true },
  { duty: 'marketing_consent', field: 'marketingPretickedCountries', listed: false },
] as const satisfies readonly { duty: DutyId; field: string; listed: boolean }[]

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** Of the countries that are sold to: the laws that apply, and the countries that no law of the table covers. */
function soldTo(markets: readonly string[]): { places: readonly Jurisdiction[]; unknown: readonly string[] } {
  // nothing named: sold to everybody who comes
  if (markets.length === 0) return { places: JURISDICTION_IDS, unknown: [] }
  const places = JURISDICTION_IDS.filter((id) => markets.some((market) => jurisdictionsOf(market).includes(id)))
  return { places, unknown: markets.filter((market) => jurisdictionsOf(market).length === 0) }
}

/** H-01 to H-04: the markets of the settings against the table of duties: each duty that is not met, by name. */
export function checkDuties(settings: Document, report: LaunchReport, at = new Date()): void {
  const markets = strings(settings['markets'])
  const { places, unknown } = soldTo(markets)
  const say = (field: string, text: string) => report([field], 'unmet_duty', text, 'launch')
  for (const market of unknown) {
    say(
      'markets',
      `${market}: nobody has looked up yet what the law asks for there (contract/duties). Have it added first.`,
    )
  }
  for (const place of places) {
    const { name, countries } = JURISDICTIONS[place]
    for (const duty of DUTY_IDS) {
      const found = inForce(duty, place, at)
      if (found?.state === 'unmet') {
        say(
          'markets',
          `${name}: “${DUTIES[duty].name}” is not met (${found.source}). Do not sell there, or have it built.`,
        )
      }
      for (const { field, listed } of LISTS.filter((list) => list.duty === duty && found)) {
        const list = strings(settings[field])
        const sold = (countries as readonly string[]).filter((one) => markets.length === 0 || markets.includes(one))
        const wrong = sold.filter((country) => list.includes(country) !== listed)
        if (wrong.length === 0) continue
        const must = wrong.length === 1 ? 'has to' : 'have to'
        const what = listed ? `${must} be listed here` : 'must not be listed here'
        say(field, `${name}: ${wrong.join(', ')} ${what}, for “${DUTIES[duty].name}” (${found?.source}).`)
      }
    }
  }
}

import { taxCountry, taxName } from '../../contract/tax/rates.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { countryOf } from '../sessions/metadata.ts'

/** Configuration that the browser gets at run time, so that no key or port is built in. */
export function siteConfigRoutes(table: RouteTable, { config }: Deps): void {
  route(table, 'config', 'open', ({ req }) => {
    const country = countryOf(req, config) ?? null
    return Promise.resolve({
      stripe: {
        publishableKey: config.stripe.publishableKey,
        scriptUrl: config.stripe.scriptUrl,
        paypal: config.stripe.paypal,
        paypalSetup: config.stripe.paypal && config.stripe.paypalSetup,
      },
      country,
      taxIncluded: taxIncluded(country, config.taxRegistrations),
      consentRegions: config.consentRegions,
      appUrl: config.appUrl,
      embedded: config.embedded,
    })
  })
}

function taxIncluded(country: string | null, registered: readonly string[]) {
  const place = country && taxCountry(country)
  return place && registered.includes(place) ? taxName(place) : null
}

import { taxTold } from '../../contract/tax/told.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { countryOf } from '../sessions/metadata.ts'
import { DOCTOR_HEADER, seenByUs } from './forwarded.ts'

/** Configuration that the browser gets at run time, so that no key or port is built in. */
export function siteConfigRoutes(table: RouteTable, { config }: Deps): void {
  route(table, 'config', 'open', ({ req, res }) => {
    const seen = seenByUs(req, config.tokenSecret)
    if (seen) res.setHeader(DOCTOR_HEADER, seen)
    const country = countryOf(req, config) ?? null
    return Promise.resolve({
      stripe: {
        publishableKey: config.stripe.publishableKey,
        scriptUrl: config.stripe.scriptUrl,
        paypal: config.stripe.paypal,
        paypalSetup: config.stripe.paypal && config.stripe.paypalSetup,
      },
      country,
      taxIncluded: taxTold(country, config.taxRegistrations),
      consentRegions: config.consentRegions,
      appUrl: config.appUrl,
      embedded: config.embedded,
    })
  })
}

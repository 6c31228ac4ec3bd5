import { z } from 'zod'
import type { BrowserConfig } from '../../contract/api.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { countryOf } from '../sessions/metadata.ts'

const browserConfig: z.ZodType<BrowserConfig> = z.object({
  stripe: z.object({
    publishableKey: z.string(),
    scriptUrl: z.string().nullable(),
    paypal: z.boolean(),
    paypalSetup: z.boolean(),
  }),
  country: z.string().nullable(),
  consentRegions: z.array(z.string()),
  appUrl: z.string(),
  embedded: z.boolean(),
})

/** What the browser learns at run time, so that no key or port is baked into a build. */
export function siteConfigRoutes(table: RouteTable, { config }: Deps): void {
  route(table, 'config', { body: undefined, answer: browserConfig, limit: 'open' }, ({ req }) =>
    Promise.resolve({
      stripe: {
        publishableKey: config.stripe.publishableKey,
        scriptUrl: config.stripe.scriptUrl,
        paypal: config.stripe.paypal,
        paypalSetup: config.stripe.paypal && config.stripe.paypalSetup,
      },
      country: countryOf(req, config) ?? null,
      consentRegions: config.consentRegions,
      appUrl: config.appUrl,
      embedded: config.embedded,
    }),
  )
}

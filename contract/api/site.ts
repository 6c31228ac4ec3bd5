/** What the site asks of the service before there is a visit. */
import { z } from 'zod'

/** Configuration that the browser gets at run time, so that ports, keys and regions are never built in. */
const browserConfig = z.strictObject({
  stripe: z.strictObject({
    publishableKey: z.string(),
    /** Address of the payment script; null: Stripe's own. The embedded sandbox serves its stand-in. */
    scriptUrl: z.string().nullable(),
    paypal: z.boolean(),
    /** PayPal starts a trial at value 0 ('$0 today') instead of paying the tier price (P-06, C-14). */
    paypalSetup: z.boolean(),
  }),
  /** Two-letter country from the CDN's header, null when unknown. */
  country: z.string().nullable(),
  /** What the tax that is in every price is called for a visitor of that country; null: none is, or it is unknown. */
  taxIncluded: z.string().nullable(),
  /** Countries whose visitors are asked before anything is stored or sent for advertising or measurement. */
  consentRegions: z.array(z.string()).readonly(),
  /** Address of the programme. */
  appUrl: z.string(),
  /** True in embedded mode (QA hints, test cards). */
  embedded: z.boolean(),
})
export type BrowserConfig = z.infer<typeof browserConfig>

export const siteShapes = {
  config: { summary: 'What the browser needs to know at run time', answer: browserConfig },
}

import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * Sent with every sign-out: the browser drops its cached pages, also those behind its Back button. `cookies` would also
 * remove unpaid visits and the mark of a known browser; storage is cleared by the page itself.
 */
export const signedOutHeaders: Readonly<Record<string, string>> = { 'Clear-Site-Data': '"cache"' }

/**
 * Headers of every answer, as OWASP recommends for an API: nothing in it may be loaded or framed. The pages of the
 * service set their own policy. `https`: browsers are to use only https for a year.
 */
export function securityHeaders(https: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: https,
  })
}

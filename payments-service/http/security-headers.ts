import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * With every sign-out: the browser drops the pages it has kept, also those behind its Back button. `cookies` would take
 * unpaid visits and the mark of a known browser along; storage is the page's own to clear.
 */
export const signedOutHeaders: Readonly<Record<string, string>> = { 'Clear-Site-Data': '"cache"' }

/**
 * Headers of every answer, as OWASP asks of an API: nothing in it may be loaded or framed. The pages of the service set
 * a policy of their own. `https`: browsers are told to use nothing else for a year.
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

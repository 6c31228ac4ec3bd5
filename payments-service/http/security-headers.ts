import type { RequestHandler } from 'express'
import helmet from 'helmet'

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

import type { Request } from 'express'
import type { Config } from '../config.ts'

/**
 * Whether a request came to the host of the operator pages: any host, unless OPERATOR_URL names one. Only the Host
 * header counts, which a page cannot choose; the proxy in front passes it on.
 */
export function isOperatorHost({ operatorUrl }: Config, req: Request): boolean {
  if (operatorUrl === null) return true
  const asked = (req.headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase()
  return asked === new URL(operatorUrl).hostname
}

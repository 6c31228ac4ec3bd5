import Stripe from 'stripe'
import type { Config } from '../config.ts'
import type { Deadline } from '../http/deadline.ts'

/** The version every request is made in; a new SDK does not change what we get. */
export const API_VERSION = '2026-10-28.endive'

/** Milliseconds one call to Stripe may take while a browser waits, and while only a job waits. */
const BROWSER_TIMEOUT = 8_000
const JOB_TIMEOUT = 20_000

export interface StripeGateway {
  /** The SDK, for calls made through `options`. */
  sdk: Stripe
}

/** One client for the process: 8 s, no retries of its own (a retry asks Stripe first what happened). */
export function createGateway(config: Config['stripe']): StripeGateway {
  const base = config.apiBase ? new URL(config.apiBase) : undefined
  const sdk = new Stripe(config.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 0,
    timeout: BROWSER_TIMEOUT,
    telemetry: false,
    appInfo: { name: 'eye-funnel' },
    ...(base
      ? {
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
          host: base.hostname,
          port: Number(base.port) || (base.protocol === 'https:' ? 443 : 80),
        }
      : {}),
  })
  return { sdk }
}

/** Options of one call: what is left of the deadline, at most the call's own timeout; a key derived from the purpose. */
export function callOptions(deadline: Deadline | undefined, idempotencyKey?: string): Stripe.RequestOptions {
  const timeout = deadline ? Math.max(1, Math.min(BROWSER_TIMEOUT, deadline.left)) : JOB_TIMEOUT
  return { timeout, maxNetworkRetries: 0, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}

/** The SDK's client and the options of every call; only for stripe/. */
import Stripe from 'stripe'
import type { StripeAccount } from '../config.ts'
import type { Deadline } from '../http/deadline.ts'

/** The API version of every request; a newer SDK does not change what we get. */
export const API_VERSION = '2026-10-28.endive'

/** Milliseconds one call may take while a browser waits, and while only a job waits. */
const BROWSER_TIMEOUT = 8_000
const JOB_TIMEOUT = 20_000

export type Method = 'card' | 'paypal'
export type By = Deadline | undefined

/** One SDK client for the process. */
export function createSdk(config: StripeAccount): Stripe {
  const base = config.apiBase ? new URL(config.apiBase) : undefined
  return new Stripe(config.secretKey, {
    apiVersion: API_VERSION,
    // our own retries first ask Stripe what happened
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
}

/**
 * Options of a call: the time left until the deadline, at most the timeout of one call; keys derive from the purpose,
 * never from the request.
 */
export function options(by: By, idempotencyKey?: string): Stripe.RequestOptions {
  const timeout = by ? Math.max(1, Math.min(BROWSER_TIMEOUT, by.left)) : JOB_TIMEOUT
  return { timeout, maxNetworkRetries: 0, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}

/** A time in seconds, as Stripe wants it. */
export const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000)

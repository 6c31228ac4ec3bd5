/** Logs misconfiguration between Stripe and this service. It blocks nothing: events are read all the same. */
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { WebhookEndpoint } from '../stripe/gateway.events.ts'
import { API_VERSION } from '../stripe/sdk.ts'
import type { StripeEvent } from '../stripe/objects.ts'
import { TOLERANCE, WEBHOOK_PATH } from './endpoint.ts'
import { EVENTS } from './event-table.ts'

/** The events that lead to something here. */
const HANDLED = Object.entries(EVENTS).flatMap(([type, { action }]) => (action === 'none' ? [] : type))

/** Milliseconds by which two clocks may differ before it is logged; webhooks are refused from TOLERANCE on. */
const CLOCK_SLACK = 60_000

export interface StripeWatch {
  /** Takes Stripe's time from an answer that has just come. */
  clock(at: Date): void
  /** Takes events that were just listed; logs once each other API version that the account rendered them in. */
  versions(events: readonly Pick<StripeEvent, 'apiVersion'>[]): void
}

export function createStripeWatch({ log }: Pick<Deps, 'log'>): StripeWatch {
  const told = new Set<string>()
  return {
    clock(at) {
      const off = Math.round((Date.now() - at.getTime()) / 1000)
      if (Math.abs(off) * 1000 < CLOCK_SLACK) return
      log.error(
        { secondsAhead: off },
        `this machine's clock and Stripe's differ: from ${TOLERANCE} s on every webhook is refused and ` +
          `events come by ` +
          'the poll alone. Set the clock (NTP)',
      )
    },
    versions(events) {
      for (const { apiVersion } of events) {
        const version = apiVersion ?? 'no version'
        if (version === API_VERSION || told.has(version)) continue
        told.add(version)
        log.error(
          { version, ours: API_VERSION },
          `Stripe renders this account's events in ${version}, not in ${API_VERSION}. They are read again where they ` +
            "differ; set the account's default API version in the dashboard (Workbench, Overview, API versions)",
        )
      }
    },
  }
}

/** One thing that is wrong between Stripe and this service, with what to do. */
interface Problem {
  fields: Record<string, unknown>
  text: string
}

/**
 * What keeps Stripe from sending our events here, in our API version. An endpoint's version is set when it is created
 * (https://docs.stripe.com/webhooks/versioning).
 */
export function webhookProblems({ siteUrl }: Pick<Config, 'siteUrl'>, all: readonly WebhookEndpoint[]): Problem[] {
  const url = siteUrl + WEBHOOK_PATH
  const todo = `make one for ${url} with api_version=${API_VERSION} and give its secret as STRIPE_WEBHOOK_SECRET`
  const endpoints = all.filter((one) => one.url === url)
  const working = endpoints.filter(({ enabled }) => enabled)
  if (working.length === 0) {
    const what = endpoints.length > 0 ? 'the webhook endpoint is disabled' : 'Stripe has no webhook endpoint'
    return [{ fields: { url }, text: `${what}: events come by the poll alone, seconds later. Enable it, or ${todo}` }]
  }
  const problems: Problem[] = []
  for (const { id, apiVersion, events } of working) {
    if (apiVersion !== API_VERSION)
      problems.push({
        fields: { endpoint: id, version: apiVersion, ours: API_VERSION },
        text:
          `the webhook endpoint sends events in ${apiVersion ?? "the account's default version"}, not in ` +
          `${API_VERSION}: ${todo}, then disable this one`,
      })
    const missing = HANDLED.filter((type) => !events.includes('*') && !events.includes(type))
    if (missing.length > 0)
      problems.push({
        fields: { endpoint: id, missing },
        text: `the webhook endpoint does not send ${missing.join(', ')}: they come by the poll alone. Add them there`,
      })
  }
  return problems
}

/** After a start, logs those problems as errors. Never throws. */
export async function checkWebhookEndpoint(deps: Pick<Deps, 'config' | 'stripe' | 'log'>): Promise<void> {
  try {
    const endpoints = await deps.stripe.listWebhookEndpoints()
    for (const { fields, text } of webhookProblems(deps.config, endpoints)) deps.log.error(fields, text)
  } catch (error) {
    deps.log.warn({ err: error }, 'the webhook endpoints could not be listed, so their API version is not known')
  }
}

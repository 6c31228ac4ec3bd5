import type Stripe from 'stripe'
import { ask } from './failure.ts'
import type { StripeEvent } from './objects.ts'
import { toEvent } from './read-objects.ts'
import { options, seconds } from './sdk.ts'

/** One of the account's webhook endpoints. */
export interface WebhookEndpoint {
  id: string
  url: string
  enabled: boolean
  /** Null: the account's default version. */
  apiVersion: string | null
  /** The types it sends, or `*` alone. */
  events: readonly string[]
}

/** Events, as listed and as sent by Stripe. */
export function eventCalls(sdk: Stripe) {
  return {
    async listWebhookEndpoints(): Promise<WebhookEndpoint[]> {
      const { data } = await ask(() => sdk.webhookEndpoints.list({ limit: 100 }, options(undefined)))
      return data.map(({ id, url, status, api_version, enabled_events }) => ({
        id,
        url,
        enabled: status === 'enabled',
        apiVersion: api_version,
        events: enabled_events,
      }))
    },

    /**
     * Events since a moment, newest first, from all pages. `at`: the time of the request by Stripe's clock, if the
     * answer gives it. Null: `goOn` said no between two pages.
     */
    async eventsSince(since: Date, goOn: () => boolean): Promise<{ events: StripeEvent[]; at: Date | null } | null> {
      const found: StripeEvent[] = []
      let after: string | undefined
      let at: number | undefined
      for (;;) {
        const page = await ask(() =>
          sdk.events.list(
            { created: { gte: seconds(since) }, limit: 100, ...(after ? { starting_after: after } : {}) },
            options(undefined),
          ),
        )
        at ??= Date.parse(page.lastResponse.headers['date'] ?? '')
        found.push(...page.data.map(toEvent))
        after = page.data.at(-1)?.id
        if (!page.has_more || !after) return { events: found, at: Number.isNaN(at) ? null : new Date(at) }
        if (!goOn()) return null
      }
    },

    /**
     * The event of a webhook. Null when its signature is not Stripe's, is older than `tolerance` seconds or dated as
     * far ahead (the SDK accepts future dates), has several dates (the SDK takes the last), or signs something that is
     * not an event.
     */
    verifyWebhook(raw: Buffer, signature: string, secrets: readonly string[], tolerance: number): StripeEvent | null {
      const stamps = signature.split(',').filter((part) => part.trim().split('=')[0] === 't')
      const stamp = Number(/^t=(\d{1,12})$/.exec(stamps[0] ?? '')?.[1])
      if (stamps.length !== 1 || !Number.isFinite(stamp) || stamp - Date.now() / 1000 > tolerance) return null
      for (const secret of secrets) {
        try {
          return toEvent(sdk.webhooks.constructEvent(raw, signature, secret, tolerance))
        } catch {
          // a forged signature, or bytes that are not an event: the same answer, so that it reveals nothing
        }
      }
      return null
    },
  }
}

import type Stripe from 'stripe'
import { ask } from './failure.ts'
import type { StripeEvent } from './objects.ts'
import { toEvent } from './read-objects.ts'
import { options, seconds } from './sdk.ts'

/** Events, as Stripe lists and as it sends them. */
export function eventCalls(sdk: Stripe) {
  return {
    /** Where the account sends its events; `apiVersion` null: in the account's default version. */
    async listWebhookEndpoints(): Promise<{ id: string; url: string; enabled: boolean; apiVersion: string | null }[]> {
      const { data } = await ask(() => sdk.webhookEndpoints.list({ limit: 100 }, options(undefined)))
      return data.map(({ id, url, status, api_version }) => ({
        id,
        url,
        enabled: status === 'enabled',
        apiVersion: api_version,
      }))
    },

    /**
     * Events since a moment, newest first, every page; `at`: when it was asked, by Stripe's
     * clock, where its answer says so.
     */
    async eventsSince(since: Date): Promise<{ events: StripeEvent[]; at: Date | null }> {
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
      }
    },

    /**
     * The event of a webhook, or null when its signature is not Stripe's, is older than `tolerance`
     * seconds, is dated as far ahead (the SDK lets the future pass) or more than once (the SDK takes the
     * last date), or signs what is no event.
     */
    verifyWebhook(raw: Buffer, signature: string, secret: string, tolerance: number): StripeEvent | null {
      const stamps = signature.split(',').filter((part) => part.trim().split('=')[0] === 't')
      const stamp = Number(/^t=(\d{1,12})$/.exec(stamps[0] ?? '')?.[1])
      if (stamps.length !== 1 || !Number.isFinite(stamp) || stamp - Date.now() / 1000 > tolerance) return null
      try {
        return toEvent(sdk.webhooks.constructEvent(raw, signature, secret, tolerance))
      } catch {
        // a forged signature, or bytes that are no event: the same answer, so that nothing is learnt from it
        return null
      }
    },
  }
}

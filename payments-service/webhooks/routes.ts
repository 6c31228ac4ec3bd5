import express, { type Router } from 'express'
import type { Deps } from '../deps.ts'
import { contextOf } from '../http/context.ts'
import { AppError } from '../http/errors.ts'
import { TOLERANCE, WEBHOOK_PATH } from './endpoint.ts'
import { isOurs } from './event-table.ts'
import { storeEvents } from './inbox.queries.ts'

/** What a signature that does not fit means, where it is Stripe's. */
const REFUSED =
  'webhook refused: it is not signed with STRIPE_WEBHOOK_SECRET, or the clocks differ. From Stripe: the secret is ' +
  'not that of its endpoint (docs/runbooks/webhooks-silent.md)'

/** Stripe's events are small; an invoice with many lines is the largest. */
const LIMIT = '1mb'

/**
 * P-10: verify → store once → answer. The work is done afterwards from the inbox, so an answer never waits for it and a
 * crash loses nothing. A forged, stale, future-dated or cut webhook, or one of the other mode, writes nothing.
 */
export function webhookRoutes(router: Router, deps: Deps): void {
  const { config, db, stripe } = deps
  const live = config.stripe.secretKey.includes('_live_')
  router.post(WEBHOOK_PATH, express.raw({ type: () => true, limit: LIMIT }), async (req, res) => {
    const signature = req.get('stripe-signature')
    const raw: unknown = req.body
    const event =
      signature && Buffer.isBuffer(raw)
        ? stripe.verifyWebhook(raw, signature, config.stripe.webhookSecrets, TOLERANCE)
        : null
    if (!event || event.livemode !== live) {
      const { log } = contextOf(req)
      log.warn({ signed: Boolean(signature) }, signature && !event ? REFUSED : 'webhook refused')
      throw new AppError('malformed_json')
    }
    // of other families there is nothing to do, and the poll leaves them out as well
    const stored = isOurs(event.type) ? await storeEvents(db, [event], 'webhook') : 0
    if (stored > 0) deps.wake('inbox')
    res.json({ received: true })
  })
}

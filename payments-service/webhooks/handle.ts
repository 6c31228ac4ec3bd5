import { endAfterDeclines } from '../checkout/declines.ts'
import { settlePayment } from '../checkout/settle.ts'
import type { Deps } from '../deps.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import type { InboxEvent } from './inbox.queries.ts'

/** The object of an event, of which ids are read and nothing else: the objects themselves are asked for afresh. */
function objectOf(payload: unknown): Record<string, unknown> {
  const object = (payload as { data?: { object?: unknown } } | null)?.data?.object
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {}
}

/** An id where Stripe puts either an id or the expanded object. */
function idIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const id = (value as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

/** The subscription of an invoice (under `parent` since Basil). */
function subscriptionOf(invoice: Record<string, unknown>): string | undefined {
  const parent = invoice['parent'] as { subscription_details?: { subscription?: unknown } } | null | undefined
  return idIn(parent?.subscription_details?.subscription)
}

/**
 * P-10: what an event asks to be looked at. Every handler re-reads Stripe and writes the difference, so the same event
 * twice, late or out of order changes nothing. Unknown types are none of ours.
 */
export async function handleEvent(deps: Deps, event: InboxEvent): Promise<void> {
  const object = objectOf(event.payload)
  const [family] = event.type.split('.')
  switch (family) {
    case 'payment_intent':
    case 'setup_intent':
      if (!event.objectId) return
      await settlePayment(deps, event.objectId, undefined)
      if (event.type === 'payment_intent.payment_failed') await endAfterDeclines(deps, event.objectId)
      return
    case 'charge':
    case 'refund': {
      // a charge, a refund or a dispute: all name their payment intent
      const intent = idIn(object['payment_intent'])
      if (intent) await settlePayment(deps, intent, undefined)
      return
    }
    case 'invoice': {
      const subscription = subscriptionOf(object)
      if (subscription) await syncSubscription(deps, subscription, undefined)
      return
    }
    case 'customer':
      if (event.type.startsWith('customer.subscription.') && event.objectId) {
        await syncSubscription(deps, event.objectId, undefined)
      }
      return
  }
}

import { product, type ProductId } from '../../contract/catalogue.ts'
import { eventIdOf } from '../../contract/event-id.ts'
import { toDollars } from '../../contract/money.ts'
import { call } from '../session/client.ts'
import { visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import { pushEvent, type Value } from './data-layer.ts'

/**
 * The sender arrives with page.client.ts a moment after the load; importing it only here keeps the page smaller until
 * then.
 */
function recordActivity(type: 'exit_intent' | 'checkout_opened'): Promise<void> {
  return import('./outgoing.ts').then(
    (outgoing) => outgoing.recordActivity(type),
    () => undefined,
  )
}

/**
 * Pushes an event once per visit and key, whatever reloads. Resolves once it is pushed: a page that is left before that
 * loses it. Never rejects (T-04).
 */
async function pushOnce(key: string, event: string, data: Record<string, Value>): Promise<void> {
  const storageKey = `${VISIT_KEYS.trackedPurchase}:${event}:${key}`
  if (visit.get(storageKey)) return
  visit.set(storageKey, '1')
  // the id under which the service sends it too; a random one where the browser cannot hash (no secure context)
  await Promise.resolve()
    .then(() => eventIdOf(event, key))
    .then(
      (id) => pushEvent(event, { ...data, event_id: id }),
      () => pushEvent(event, data),
    )
}

/**
 * T-03: every succeeded payment with its value, once; `free`: a set-up, which charged nothing (P-06). The session id
 * only distinguishes events on this device. Wait for it before leaving the page; it never rejects.
 */
export async function trackPurchase(sessionId: string, productId: ProductId, free = false): Promise<void> {
  const { price, name, kind } = product(productId)
  const value = free ? 0 : toDollars(price)
  const pushed = [pushOnce(`${sessionId}:${productId}`, 'Purchase', { value, currency: 'USD', content_name: name })]
  if (kind === 'trial' || kind === 'special_offer' || kind === 'monthly') {
    pushed.push(pushOnce(sessionId, 'Subscribe', { value: toDollars(product('monthly').price), currency: 'USD' }))
  }
  await Promise.all(pushed)
}

/** C-16: the first purchase of a paid session, as the service knows it; waits only for a moment. */
export async function trackFirstPurchase(sessionId: string): Promise<void> {
  const bought = await call('purchases', { path: { sessionId }, timeoutMs: 1_500 })
  const first = bought.ok ? bought.data.items[0] : undefined
  if (first) await trackPurchase(sessionId, first.productId, first.amount === 0)
}

/** T-03: an address was given. */
export function trackLead(sessionId: string): void {
  void pushOnce(sessionId, 'Lead', {})
}

/** D-09: the payment dialog was left without paying. Wait for it before leaving the page; it never rejects. */
export function trackExitIntent(): Promise<void> {
  return recordActivity('exit_intent')
}

/** T-03: the checkout was opened. */
export function trackInitiateCheckout(sessionId: string, productId: ProductId): void {
  void recordActivity('checkout_opened')
  void pushOnce(sessionId, 'InitiateCheckout', { value: toDollars(product(productId).price), currency: 'USD' })
}

/** T-03: a page of the funnel was viewed; sends the page's name, never its address. */
export function trackPageView(page: string): void {
  pushEvent('page_view', { page })
}

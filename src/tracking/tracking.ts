import { product, type ProductId } from '../../contract/catalogue.ts'
import { toDollars } from '../../contract/money.ts'
import { visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import { pushEvent, type Value } from './data-layer.ts'

/** Pushes an event once a visit for a key, whatever reloads. */
function pushOnce(key: string, event: string, data: Record<string, Value>): void {
  const storageKey = `${VISIT_KEYS.trackedPurchase}:${event}:${key}`
  if (visit.get(storageKey)) return
  visit.set(storageKey, '1')
  pushEvent(event, data)
}

/** T-03: every succeeded payment with its value, once. The session only tells events apart on this device. */
export function trackPurchase(sessionId: string, productId: ProductId): void {
  const { price, name } = product(productId)
  pushOnce(`${sessionId}:${productId}`, 'Purchase', { value: toDollars(price), currency: 'USD', content_name: name })
}

/** T-03: the checkout was opened. */
export function trackInitiateCheckout(sessionId: string, productId: ProductId): void {
  pushOnce(sessionId, 'InitiateCheckout', { value: toDollars(product(productId).price), currency: 'USD' })
}

/** T-03: a page of the funnel was looked at; the page's name, never its address. */
export function trackPageView(page: string): void {
  pushEvent('page_view', { page })
}

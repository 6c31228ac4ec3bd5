import { useSyncExternalStore } from 'react'
import type { ProductId } from '../../contract/catalogue.ts'
import type { Cents } from '../../contract/money.ts'
import { shownTerms, type ShownTerms } from '../../contract/terms.ts'

/** How an order is paid for: at its price, or by a PayPal set-up that costs nothing today (P-06). */
export type PaidBy = 'price' | 'paypal-setup'

/**
 * The figures this page shows beside its pay buttons: computed from its own clock and catalogue until the service
 * reports a change. Shared by the whole page, so that no two parts show different ones.
 */
let at = new Date()
const changed = new Map<string, ShownTerms>()
const made = new Map<string, ShownTerms>()
const listeners = new Set<() => void>()
let version = 0

const keyOf = (id: ProductId, by: PaidBy): string => `${id} ${by}`

/** What the page shows now; the same object until something changes. */
export function shownNow(id: ProductId, by: PaidBy = 'price'): ShownTerms {
  const key = keyOf(id, by)
  const known = changed.get(key) ?? made.get(key)
  if (known) return known
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const terms = shownTerms(id, at, zone, by === 'paypal-setup')
  made.set(key, terms)
  return terms
}

function tell(): void {
  made.clear()
  version += 1
  listeners.forEach((listener) => listener())
}

/** The service refused an order (terms_changed): `terms` are what would be charged now. */
export function noteChanged(id: ProductId, by: PaidBy, terms: ShownTerms): void {
  changed.set(keyOf(id, by), terms)
  // later charges are the same for the other way to pay; its amount now differs
  const other = by === 'price' ? 'paypal-setup' : 'price'
  const { firstFull, timeZone } = terms
  changed.set(keyOf(id, other), { ...shownNow(id, other), firstFull, timeZone })
  tell()
}

/** A dialog opens on a page that may be hours old: recomputes its dates from the current time. */
export function refreshShown(): void {
  at = new Date()
  tell()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The price each product has now on this page; a page with several redraws when one changes. */
export function useShownPrices(): (id: ProductId) => Cents {
  useSyncExternalStore(
    subscribe,
    () => version,
    () => version,
  )
  return priceShown
}

const priceShown = (id: ProductId): Cents => shownNow(id).now

/** Null while rendering on the server (a build's date would be a lie) and until the product is known. */
export function useShown(id: ProductId | null, by: PaidBy = 'price'): ShownTerms | null {
  return useSyncExternalStore(
    subscribe,
    () => (id ? shownNow(id, by) : null),
    () => null,
  )
}

import { ATTRIBUTION_KEYS, type Attribution } from '../../contract/attribution.ts'
import { nextTouches, readTouches } from '../session/attribution.ts'
import type { Store } from '../session/storage.ts'

/**
 * V-01: the attribution that this browser holds: the last touch, then the names in the specification, then the first
 * touch. After 90 days none of it counts (L-06), and where storing needs a consent, this page's own address counts.
 */
export function storedAttribution(store: Store, now: number): Attribution {
  const known = readTouches(store)
  const fresh = nextTouches(known, {}, now)
  if ((known.first || known.last) && !fresh.first && !fresh.last) return {}
  // the names tell of no day: they end with the first touch
  const named = (key: string): string | null => (known.first && !fresh.first ? null : store.get(key))
  const found: Attribution = {}
  for (const key of ATTRIBUTION_KEYS) {
    const value = fresh.last?.parameters[key] ?? named(key) ?? fresh.first?.parameters[key]
    if (value) found[key] = value
  }
  return found
}

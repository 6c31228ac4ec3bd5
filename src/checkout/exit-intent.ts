import { visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'

/**
 * C-15: closing the modal is an exit intent once per visit, and never after a payment was started (PayDialog). Returns
 * where to go, or null to stay.
 */
export function exitIntentTarget(sessionId: string, store: Pick<typeof visit, 'get' | 'set'> = visit): string | null {
  if (store.get(VISIT_KEYS.exitIntent)) return null
  store.set(VISIT_KEYS.exitIntent, '1')
  return `/special-offer-intro/${sessionId}`
}

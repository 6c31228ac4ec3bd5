import * as KEYS from './keys.ts'
import type { Store } from './storage.ts'

/** The session's id as the browser holds it: small, because every page after the quiz needs it at once. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const ID_KEYS = [KEYS.sessionId, KEYS.sessionIdCamel, KEYS.sessionIdSnake]

export function isSessionId(value: unknown): value is string {
  // K-04: the draft deployment shows every page under the id 'preview'; built pages lose this line
  if (import.meta.env.SITE_DRAFTS && value === 'preview') return true
  return typeof value === 'string' && UUID.test(value)
}

/** The id this browser holds; a corrupted one counts as none and is removed. */
export function storedSessionId(store: Store): string | null {
  const id = store.get(KEYS.sessionId)
  if (id !== null && !isSessionId(id)) removeId(store)
  return isSessionId(id) ? id.toLowerCase() : null
}

/** stores the id under each of the names the specification gives it. */
export function keepSessionId(store: Store, id: string): void {
  for (const key of ID_KEYS) store.set(key, id)
}

/** The session id in the path of a page such as /checkout/{sessionId}; null when there is none. */
export function sessionIdInPath(pathname: string): string | null {
  return pathname.split('/').find(isSessionId)?.toLowerCase() ?? null
}

/** A UUID also where crypto.randomUUID is missing (a phone on the LAN: no secure context). */
export function newUuid(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  // version 4: each 0 gets four random bits, the 8 two
  return '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit) =>
    (Number(digit) | ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) & (digit === '8' ? 3 : 15))).toString(16),
  )
}

/**
 * Forgets a session that the service does not know, or not from this browser. Local answers stay, for a new session
 * (C-02).
 */
export function forgetSession(store: Store): void {
  removeId(store)
  store.remove(KEYS.clientKey)
}

function removeId(store: Store): void {
  for (const key of ID_KEYS) store.remove(key)
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

import type { CreateSessionRequest } from '../../contract/api.ts'
import { isSessionId, keepSessionId, newUuid, sleep, storedSessionId } from './id.ts'
import * as KEYS from './keys.ts'
import type { Store } from './storage.ts'

/**
 * D-01…D-04: the visitor's session. A stored id is reused; else the service makes one for the client key of this
 * browser, so that double mounts, twenty tabs and repeated attempts end in one session.
 */
export const ATTEMPT_WAITS_MS: readonly number[] = [1_000, 2_000]
export const LOCK_WAIT_MS = 500
export const CREATE_SESSION_PATH = '/api/sessions'
const CREATE_TIMEOUT_MS = 10_000

/** AbortSignal.timeout, which Safari 15 does not have. */
function abortedAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}

/** taken: the key belongs to a session that this browser no longer holds (403 session_forbidden, field clientKey). */
export type CreateTrouble = 'temporary' | 'refused' | 'taken'

/** What the bootstrap needs from its surroundings; tests bring their own. */
export interface BootstrapWorld {
  store: Store
  /** One attempt: the id, or whether another attempt may help. */
  create(body: CreateSessionRequest): Promise<string | CreateTrouble>
  wait(ms: number): Promise<void>
  /** Runs `work` alone among the tabs of this browser, as far as `alone` below can. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** The first request without the client key. */
  describe(): Omit<CreateSessionRequest, 'clientKey'>
}

/**
 * The session's id, creating the session if there is none. Null when three attempts failed to reach the service (D-02):
 * the funnel goes on without one, and later writes wait in the outbox until a session exists.
 */
export async function ensureSession(world: BootstrapWorld): Promise<string | null> {
  const known = storedSessionId(world.store)
  if (known) return known
  return world.alone(async () => {
    let renewed = false
    for (let attempt = 0; ; attempt++) {
      // another tab may have been faster, before us or while we waited
      const meanwhile = storedSessionId(world.store)
      if (meanwhile) return meanwhile
      let clientKey = world.store.get(KEYS.clientKey)
      if (!isSessionId(clientKey)) {
        clientKey = newUuid()
        world.store.set(KEYS.clientKey, clientKey)
      }
      const result = await world.create({ clientKey, ...world.describe() })
      if (isSessionId(result)) {
        keepSessionId(world.store, result)
        return result
      }
      if (result === 'taken' && !renewed) {
        // the cookies are gone but the key is still here: retry at once with a new key, and only once
        renewed = true
        world.store.remove(KEYS.clientKey)
        attempt -= 1
        continue
      }
      const wait = ATTEMPT_WAITS_MS[attempt]
      if (wait === undefined || result !== 'temporary') return null
      await world.wait(wait)
    }
  })
}

/**
 * D-03: Web Locks where the browser has them, otherwise a short lock in storage. A tab that has waited 500 ms goes on
 * with the client key of the tab holding the lock; the service is idempotent on it. While the holder has no key yet (it
 * stalled after getting the lock), the wait continues, because two keys would make two sessions. A tab that is closed
 * releases its lock.
 */
export async function alone<T>(store: Store, work: () => Promise<T>): Promise<T> {
  if (typeof navigator !== 'undefined' && navigator.locks) {
    let started: Promise<T> | undefined
    const signal = abortedAfter(LOCK_WAIT_MS)
    try {
      return await navigator.locks.request(KEYS.creationLock, { signal }, () => (started = work()))
    } catch (error) {
      if (started) throw error
      return store.get(KEYS.clientKey) ? work() : navigator.locks.request(KEYS.creationLock, work)
    }
  }
  const held = Number(store.get(KEYS.creationLock) ?? 0)
  if (Date.now() - held < LOCK_WAIT_MS) await sleep(LOCK_WAIT_MS)
  store.set(KEYS.creationLock, String(Date.now()))
  try {
    return await work()
  } finally {
    store.remove(KEYS.creationLock)
  }
}

/**
 * One attempt over HTTP. Uses fetch directly because the landing page carries it; the client in http.ts is for larger
 * pages.
 */
export async function createSession(body: CreateSessionRequest): Promise<string | CreateTrouble> {
  try {
    const response = await fetch(CREATE_SESSION_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: abortedAfter(CREATE_TIMEOUT_MS),
    })
    if (response.ok) {
      const { sessionId } = (await response.json()) as { sessionId?: unknown }
      if (isSessionId(sessionId)) return sessionId
    }
    if (response.status === 403) {
      const { error } = (await response.json()) as { error?: { field?: unknown } }
      if (error?.field === 'clientKey') return 'taken'
    }
    return response.status >= 400 && response.status < 500 && response.status !== 429 ? 'refused' : 'temporary'
  } catch {
    return 'temporary'
  }
}

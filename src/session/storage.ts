/**
 * The browser's storage: stores that never throw (the keys are in keys.ts and visit-keys.ts, Q-14). Where storage is
 * blocked or full (private windows, in-app browsers), values live in memory until the page closes.
 */
export interface Store {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

export * as KEYS from './keys.ts'
export * as VISIT_KEYS from './visit-keys.ts'

/** The query this page was opened with: the quiz's next address has none of it, and nothing of it may be stored yet. */
export const arrivedWith = globalThis.location?.search

/** A store over web storage that falls back to memory, key by key, when the browser refuses. */
export function safeStore(open: () => Storage | undefined): Store {
  const memory = new Map<string, string>()
  const tried = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      const storage = open()
      return storage && work(storage)
    } catch {
      return undefined
    }
  }
  return {
    get: (key) => memory.get(key) ?? tried((storage) => storage.getItem(key)) ?? null,
    set(key, value) {
      const kept = tried((storage) => {
        storage.setItem(key, value)
        return true
      })
      if (kept) memory.delete(key)
      else memory.set(key, value)
    },
    remove(key) {
      memory.delete(key)
      tried((storage) => storage.removeItem(key))
    },
  }
}

export const local: Store = /* @__PURE__ */ safeStore(() => globalThis.localStorage)
export const visit: Store = /* @__PURE__ */ safeStore(() => globalThis.sessionStorage)

/**
 * A JSON value of a store, validated on reading: `guard` returns a usable value or undefined. A value that is not JSON,
 * or that the guard refuses, is removed, so that one corrupted key cannot break every later page.
 */
export function readJson<T>(store: Store, key: string, guard: (value: unknown) => T | undefined): T | undefined {
  const text = store.get(key)
  if (text === null) return undefined
  let value: T | undefined
  try {
    value = guard(JSON.parse(text))
  } catch {
    value = undefined
  }
  if (value === undefined) store.remove(key)
  return value
}

export function writeJson(store: Store, key: string, value: unknown): void {
  store.set(key, JSON.stringify(value))
}

/** A plain object, or undefined: the first guard of everything stored as JSON. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

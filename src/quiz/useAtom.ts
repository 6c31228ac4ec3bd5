import type { ReadableAtom } from 'nanostores'
import { useSyncExternalStore } from 'react'

/**
 * What `read` derives from an atom; the view redraws only when that changes. `read` must return a plain value or an
 * object that stays the same.
 */
export function useAtom<T, R = T>(atom: ReadableAtom<T>, read: (value: T) => R = (value) => value as unknown as R): R {
  const get = (): R => read(atom.get())
  return useSyncExternalStore(atom.listen, get, get)
}

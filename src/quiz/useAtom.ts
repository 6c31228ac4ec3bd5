import type { ReadableAtom } from 'nanostores'
import { useSyncExternalStore } from 'react'

/**
 * What `read` makes of an atom; the view draws anew only when that changes, whatever else the atom tells. `read`
 * returns a plain value or something that stays the same object.
 */
export function useAtom<T, R = T>(atom: ReadableAtom<T>, read: (value: T) => R = (value) => value as unknown as R): R {
  const get = (): R => read(atom.get())
  return useSyncExternalStore(atom.listen, get, get)
}

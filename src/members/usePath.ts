import { useSyncExternalStore } from 'react'

const never = () => () => undefined
const read = (): string => location.pathname
const unknown = () => null

/** The path of this page; null while rendering on the server, where one shell is rendered for all of them. */
export function usePath(): string | null {
  return useSyncExternalStore(never, read, unknown)
}

import { useRef, type RefObject } from 'react'

/**
 * A place (with `tabIndex={-1}`) whose button goes away when it is pressed: the second function moves the focus to what
 * has replaced it, where a keyboard goes on and a screen reader reads.
 */
export function usePlace<Place extends HTMLElement>(): [RefObject<Place | null>, () => void] {
  const place = useRef<Place>(null)
  return [place, () => requestAnimationFrame(() => place.current?.focus())]
}

import { useLayoutEffect, useRef, type RefObject } from 'react'

/** A CSS variable on an element, set by script: the policy blocks style attributes (CSP), not this. */
export function useCssVariable<E extends HTMLElement>(name: `--${string}`, value: string): RefObject<E | null> {
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    element.current?.style.setProperty(name, value)
  }, [name, value])
  return element
}

import { useLayoutEffect, useRef, type RefObject } from 'react'

/** A CSS variable set on an element by script: the policy (CSP) blocks style attributes, but not this. */
export function useCssVariable<E extends HTMLElement>(name: `--${string}`, value: string): RefObject<E | null> {
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    element.current?.style.setProperty(name, value)
  }, [name, value])
  return element
}

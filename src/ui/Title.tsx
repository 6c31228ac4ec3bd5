import { useEffect, useRef, type ReactNode } from 'react'

/** The heading of a screen; takes the focus when the screen replaces another one. */
export function Title({ children, focus = false }: { children: ReactNode; focus?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!focus) return
    heading.current?.focus()
    // the second press of a double click on the screen before, which would move the focus to where nothing is any more
    const keep = (press: MouseEvent) => {
      if (press.detail > 1 && document.activeElement === heading.current) press.preventDefault()
    }
    document.addEventListener('mousedown', keep)
    return () => document.removeEventListener('mousedown', keep)
  }, [focus])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

import { useLayoutEffect, useRef, type ReactNode } from 'react'

let moving = false
/** From the second screen on, a new heading takes the focus; the first one leaves it where the page put it. */
export function stepsMove(): void {
  moving = true
}

/** The heading of a screen. It takes the focus when it appears, so that a screen reader reads on from here. */
export function StepTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (moving) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} id="step-title" className="step-title" tabIndex={-1}>
      {children}
    </h1>
  )
}

import type { ReactNode } from 'react'

/** Text for screen readers only. With `live`, changes are announced politely. */
export function VisuallyHidden({ children, live = false }: { children: ReactNode; live?: boolean }) {
  return (
    <span className="visually-hidden" {...(live ? { role: 'status' } : {})}>
      {children}
    </span>
  )
}

import type { ReactNode } from 'react'
import './notice.css'

interface Props {
  tone?: 'info' | 'good' | 'caution' | 'danger'
  title?: string
  children: ReactNode
  /** How it is announced when it appears; 'off' for text that is there from the start. */
  live?: 'off' | 'polite' | 'assertive'
}

/** Something to know: what happened, that nothing was lost or charged, what to do next. */
export function Notice({ tone = 'info', title, children, live = 'off' }: Props) {
  const role = live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined
  return (
    <div className="notice" data-tone={tone} role={role}>
      <div>
        {title && <p className="notice-title">{title}</p>}
        {children}
      </div>
    </div>
  )
}

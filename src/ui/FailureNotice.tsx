import { useEffect, useRef, type ReactNode } from 'react'
import { Notice } from './Notice.tsx'

interface Props {
  title: string
  children?: ReactNode
  tone?: 'caution' | 'danger'
  /** What went wrong: each new one is brought into view. */
  of?: unknown
  /** The focus is at the field at fault. */
  stay?: boolean
  code?: string
}

/**
 * What went wrong, and what to do next. It scrolls into view, so that it is not missed on a phone, and takes the focus,
 * so that the next Tab continues from there.
 */
export function FailureNotice({ title, children, tone = 'danger', of = title, stay = false, code }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void place.current?.scrollIntoView({ block: 'nearest' })
    if (!stay) place.current?.focus({ preventScroll: true })
  }, [of, stay])
  return (
    <div ref={place} data-code={code} tabIndex={-1}>
      <Notice tone={tone} title={title} live="assertive">
        {children}
      </Notice>
    </div>
  )
}

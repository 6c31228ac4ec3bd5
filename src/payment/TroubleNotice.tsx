import { useEffect, useRef } from 'react'
import { Notice } from '../ui/Notice.tsx'
import { nextStep, type Trouble } from './failures.ts'

/**
 * What went wrong, what became of the money, what to do next. Scrolls into view, so that it is not missed on a phone.
 */
export function TroubleNotice({ trouble }: { trouble: Trouble }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void place.current?.scrollIntoView({ block: 'nearest' })
    // no field is at fault: focus the notice, so that the next Tab continues from there
    if (!trouble.field) place.current?.focus({ preventScroll: true })
  }, [trouble])
  const next = nextStep(trouble)
  return (
    <div ref={place} data-code={trouble.code} tabIndex={-1}>
      <Notice
        tone={trouble.money === 'charged' || trouble.money === 'returned' ? 'caution' : 'danger'}
        title={trouble.words}
        live="assertive"
      >
        {next && <p className="small">{next}</p>}
        {trouble.code === 'already_subscribed' && (
          <p>
            <a href="/app/">Sign in</a>
          </p>
        )}
      </Notice>
    </div>
  )
}

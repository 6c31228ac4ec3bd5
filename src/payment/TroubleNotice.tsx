import { FailureNotice } from '../ui/FailureNotice.tsx'
import { nextStep, type Trouble } from './failures.ts'

/** What went wrong, what became of the money, what to do next. */
export function TroubleNotice({ trouble }: { trouble: Trouble }) {
  const next = nextStep(trouble)
  return (
    <FailureNotice
      of={trouble}
      code={trouble.code}
      title={trouble.words}
      tone={trouble.money === 'charged' || trouble.money === 'returned' ? 'caution' : 'danger'}
      stay={trouble.field !== undefined}
    >
      {next && <p className="small">{next}</p>}
      {trouble.code === 'already_subscribed' && (
        <p>
          <a href="/app/">Sign in</a>
        </p>
      )}
    </FailureNotice>
  )
}

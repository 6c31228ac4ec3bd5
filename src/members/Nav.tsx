import { useState } from 'react'
import type { Failure } from '../session/http.ts'
import { ask } from './client.ts'
import { forgetVisit } from './leave.ts'
import { Failed } from './parts.tsx'

/** Where a member can go. */
export function Nav({ at }: { at?: 'today' | 'subscription' }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  async function leave(): Promise<void> {
    setBusy(true)
    setFailure(null)
    const outcome = await ask('signOut')
    if (!outcome.ok) {
      // still signed in: whoever comes next to this computer must not find it open
      setBusy(false)
      return setFailure(outcome)
    }
    await forgetVisit(() => ({ local: localStorage, session: sessionStorage }))
    location.assign('/app/')
  }
  return (
    <>
      <nav className="members-nav" aria-label="Your account">
        <a href="/app/" aria-current={at === 'today' ? 'page' : undefined}>
          Today
        </a>
        <a href="/app/subscription" aria-current={at === 'subscription' ? 'page' : undefined}>
          Subscription
        </a>
        <button type="button" onClick={() => void leave()} disabled={busy}>
          Sign out
        </button>
      </nav>
      {failure && <Failed failure={failure} />}
    </>
  )
}

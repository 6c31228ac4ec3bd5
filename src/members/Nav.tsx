import { useState } from 'react'
import { ask } from './client.ts'
import { forgetVisit } from './leave.ts'

/** Where a member can go. */
export function Nav({ at }: { at?: 'today' | 'subscription' }) {
  const [busy, setBusy] = useState(false)
  async function leave(): Promise<void> {
    setBusy(true)
    await ask('signOut')
    await forgetVisit(() => ({ local: localStorage, session: sessionStorage }))
    location.assign('/app/')
  }
  return (
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
  )
}

import { useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { TrialId } from '../../contract/catalogue.ts'
import { exitIntentTarget } from './exit-intent.ts'
import { track } from './track.ts'

/** C-12, C-15: opening the payment dialog, and leaving it unpaid. */
export function useOrderDialog(session: SessionView | null, tier: TrialId | null) {
  const [pressed, setPressed] = useState(false)
  const [early, setEarly] = useState(false)

  useEffect(() => {
    if (pressed && session && tier) {
      void track(({ trackInitiateCheckout }) => trackInitiateCheckout(session.sessionId, tier))
    }
  }, [pressed, session, tier])

  return {
    open: pressed || (early && session !== null),
    /** Pressed before the session had loaded: the dialog opens as soon as it has. */
    wanted: early && session === null,
    order(): void {
      if (session) setPressed(true)
      else setEarly(true)
    },
    /** `started`: a payment was tried, so this is no exit intent. */
    close(started: boolean): void {
      setPressed(false)
      setEarly(false)
      const target = session && exitIntentTarget(session.sessionId, started)
      if (target) void track(({ trackExitIntent }) => trackExitIntent()).then(() => location.assign(target))
    },
  }
}

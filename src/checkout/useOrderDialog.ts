import { useEffect, useRef, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { TrialId } from '../../contract/catalogue.ts'
import { exitIntentTarget } from './exit-intent.ts'
import { track } from './track.ts'

/** C-12, C-15: opening the payment dialog, and leaving it unpaid. */
export function useOrderDialog(session: SessionView | null, tier: TrialId | null) {
  const [pressed, setPressed] = useState(false)
  /** Whether it is open now, for what ends after its closing. */
  const open = useRef(false)

  useEffect(() => {
    if (pressed && session && tier) {
      void track(({ trackInitiateCheckout }) => trackInitiateCheckout(session.sessionId, tier))
    }
  }, [pressed, session, tier])

  return {
    /** Where the session has not loaded yet, the dialog opens as soon as it has. */
    pressed,
    order(): void {
      open.current = true
      setPressed(true)
    },
    close(): void {
      open.current = false
      setPressed(false)
      const target = session && exitIntentTarget(session.sessionId)
      if (!target) return
      void track(({ trackExitIntent }) => trackExitIntent()).then(() => {
        // pressed again meanwhile: nobody is led away from an order
        if (!open.current) location.assign(target)
      })
    },
  }
}

import { useState } from 'react'
import { askForResumeLink } from '../session/handover.ts'
import { goOnAfresh, hasLocalAnswers } from '../session/page-session.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/**
 * C-02: an unknown session, or one that belongs to another browser: what happened, and the ways on. Nothing of the session
 * is shown, and its id opens nothing.
 */
export function LostSession({ sessionId, inDialog = false }: { sessionId?: string; inDialog?: boolean }) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const [mailed, setMailed] = useState(false)
  const answers = hasLocalAnswers()

  async function mail(): Promise<void> {
    if (!sessionId) return
    setBusy(true)
    setFailed(false)
    const sent = await askForResumeLink(sessionId)
    setBusy(false)
    setMailed(sent)
    setFailed(!sent)
  }

  async function afresh(): Promise<void> {
    setBusy(true)
    setFailed(false)
    const fresh = await goOnAfresh(sessionId)
    setBusy(false)
    if (fresh) location.assign(`/checkout/${fresh}`)
    else setFailed(true)
  }

  const Heading = inDialog ? 'h3' : 'h1'
  return (
    <div className="stack lost">
      <Heading>We cannot open this page here</Heading>
      <p>
        This link belongs to another browser, or it is no longer known. Nothing was charged here. If you have paid
        already, open the link in the email that we sent you, or <a href="/app/">sign in</a>.
      </p>
      {answers ? (
        <Button busy={busy} onClick={() => void afresh()}>
          Continue with my answers in this browser
        </Button>
      ) : (
        <ButtonLink href="/quiz">Take the quiz</ButtonLink>
      )}
      {sessionId && !mailed && (
        <Button look="quiet" busy={busy} onClick={() => void mail()}>
          Send a link to my email address
        </Button>
      )}
      {mailed && (
        <Notice tone="info" title="Please look at your mail." live="polite">
          <p>If we know an email address for this page, a link is on its way to it. It opens the page here.</p>
        </Notice>
      )}
      <ButtonLink look="text" href="/legal/contact-us">
        Contact us
      </ButtonLink>
      {failed && (
        <Notice tone="danger" title="We cannot reach our service." live="assertive">
          <p>Your answers are safe in this browser. Please check your connection and try again.</p>
        </Notice>
      )}
    </div>
  )
}

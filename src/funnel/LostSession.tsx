import { useState, type ReactNode } from 'react'
import { paymentMessage } from '../../contract/payment-messages.ts'
import { askForResumeLink } from '../session/new-links.ts'
import { storedSessionId } from '../session/id.ts'
import { goOnAfresh, hasLocalAnswers, heldBefore } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ReloadButton } from '../ui/ReloadButton.tsx'

/**
 * C-02: an unknown session, or one that belongs to another browser: explains what happened and how to go on. Nothing of
 * the session is shown, and its id opens nothing.
 */
export function LostSession(props: {
  sessionId: string | null
  inDialog?: boolean
  title?: string
  /** Section 5: the message of the specification for this place. */
  message?: 'session_not_found' | 'session_information_missing'
  /** What became of a payment, in the place of these words. Nothing is begun anew then. */
  children?: ReactNode
}) {
  const { sessionId, inDialog = false, title = 'We cannot open this page here', message, children } = props
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const [mail, setMail] = useState<'none' | 'sending' | 'sent' | 'later'>('none')
  const answers = hasLocalAnswers()
  // the visit began here but its cookie is gone; who blocks cookies blocks the storage as well
  const cookieMissing =
    !navigator.cookieEnabled || (sessionId !== null && [heldBefore(), storedSessionId(local)].includes(sessionId))

  async function afresh(): Promise<void> {
    setBusy(true)
    setFailed(false)
    const fresh = await goOnAfresh(sessionId ?? undefined)
    setBusy(false)
    if (fresh) location.assign(`/checkout/${fresh}`)
    else setFailed(true)
  }

  /** Never reveals whether the session exists or has an e-mail address: knowing an id reveals nothing. */
  async function mailLink(id: string): Promise<void> {
    setMail('sending')
    setFailed(false)
    const asked = await askForResumeLink(id)
    setMail(asked === 'failed' ? 'none' : asked)
    setFailed(asked === 'failed')
  }

  const Heading = inDialog ? 'h3' : 'h1'
  return (
    <div className="stack lost">
      {children ?? (
        <>
          <Heading>{title}</Heading>
          {message && <p>{paymentMessage(message)}</p>}
          <p>
            This link belongs to another browser, or it is no longer known. Nothing was charged here. If you have paid
            already, open the link in the email that we sent you, or <a href="/app/">sign in</a>.
          </p>
          {cookieMissing && (
            <p>Please allow cookies for this site if your browser blocks them, and load the page again.</p>
          )}
        </>
      )}
      {sessionId && mail !== 'sent' && (
        <Button look="quiet" busy={mail === 'sending'} onClick={() => void mailLink(sessionId)}>
          Email me a link to my plan
        </Button>
      )}
      {mail === 'sent' && (
        <Notice tone="good" title="Please see your mail." live="polite">
          <p>If this plan has an email address, a link is on its way to it. It works once, for 24 hours.</p>
        </Notice>
      )}
      {mail === 'later' && (
        <Notice tone="info" title="We have sent several links already." live="polite">
          <p>Please look into your mail, also into the folder for spam, or try again in ten minutes.</p>
        </Notice>
      )}
      {!children && answers && (
        <Button busy={busy} onClick={() => void afresh()}>
          Continue with my answers in this browser
        </Button>
      )}
      {!children && !answers && <ButtonLink href="/quiz">Take the quiz</ButtonLink>}
      <ButtonLink look="text" href="/legal/contact-us">
        Contact us
      </ButtonLink>
      {failed && (
        <Notice tone="danger" title="We cannot reach our service." live="assertive">
          <p>Your answers are safe in this browser. Please check your connection and load the page again.</p>
          <ReloadButton />
        </Notice>
      )}
    </div>
  )
}

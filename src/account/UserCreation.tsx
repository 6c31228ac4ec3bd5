import { useEffect, useState } from 'react'
import type { AccountContent } from '../../contract/content.ts'
import { LostSession } from '../funnel/LostSession.tsx'
import { Unreachable } from '../ui/Unreachable.tsx'
import { usePageSession } from '../funnel/usePageSession.ts'
import { pagePath } from '../session/page-session.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { Notice } from '../ui/Notice.tsx'
import { usePlace } from '../ui/usePlace.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { Breadcrumb } from '../funnel/Breadcrumb.tsx'
import { EmailCorrection } from './EmailCorrection.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { useSignUp } from './useSignUp.ts'

/** the account of a paid session. */
export function UserCreation({ content }: { content: AccountContent }) {
  const [page, reload, readAgain] = usePageSession()
  const [corrected, setCorrected] = useState(false)
  const [heading, focusHeading] = usePlace<HTMLHeadingElement>()
  const session = page.state === 'ready' ? page.session : null
  // kept here, so that what was typed survives a reload of the session
  const signUp = useSignUp(session)

  useEffect(() => trackPageView('user-creation'), [])
  useEffect(() => {
    if (page.state === 'none') location.replace('/quiz')
    if (page.state !== 'ready') return
    const { paymentStatus, accountCreated, nextPage, sessionId } = page.session
    if (accountCreated) location.replace(`/thank-you/${sessionId}`)
    else if (paymentStatus !== 'paid') location.replace(pagePath(nextPage, sessionId))
  }, [page])

  if (page.state === 'lost') return <LostSession sessionId={page.sessionId} />
  if (page.state === 'unreachable') return <Unreachable onRetry={reload} />
  if (!session || session.accountCreated || session.paymentStatus !== 'paid') {
    return (
      <p className="pay-loading">
        <Spinner label="Loading" /> Loading…
      </p>
    )
  }
  return (
    <div className="step">
      <Breadcrumb at="Account creation" />
      <h1 ref={heading} tabIndex={-1}>
        {content.title}
      </h1>
      {corrected && (
        <Notice tone="good" title="Your email address is corrected." live="polite">
          <p>What we write to you goes there, and you sign in with it.</p>
        </Notice>
      )}
      <p className="quiet">{content.intro}</p>
      <SignUpForm signUp={signUp} email={session.email ?? ''} button={content.button} />
      <EmailCorrection
        key={session.email}
        sessionId={session.sessionId}
        onCorrected={() => {
          void readAgain().then(() => {
            setCorrected(true)
            focusHeading()
          })
        }}
      />
    </div>
  )
}

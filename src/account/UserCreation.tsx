import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { AccountContent } from '../../contract/content.ts'
import { PASSWORD_HINT } from '../../contract/password.ts'
import { fill } from '../../contract/placeholders.ts'
import { copyValues } from '../checkout/checkout.ts'
import { LostSession } from '../checkout/LostSession.tsx'
import type { FunnelSettings } from '../checkout/page-settings.ts'
import { Unreachable } from '../checkout/Unreachable.tsx'
import { usePageSession } from '../checkout/usePageSession.ts'
import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { pagePath } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { CheckField, TextField } from '../ui/TextField.tsx'
import { Breadcrumb } from '../upsell/Breadcrumb.tsx'
import { EmailCorrection } from './EmailCorrection.tsx'
import { passwordTrouble, signUpTrouble, type SignUpTrouble } from './account.ts'

interface Props {
  content: AccountContent
  settings: FunnelSettings
}

/** the account of a paid session. The e-mail address is the username and cannot be changed here. */
export function UserCreation({ content, settings }: Props) {
  const [page, reload] = usePageSession()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<SignUpTrouble | null>(null)
  const running = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const session = page.state === 'ready' ? page.session : null
  const values = copyValues(settings, undefined)

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
  const { sessionId, email } = session

  async function create(): Promise<void> {
    running.current = true
    setBusy(true)
    const outcome = await call('createAccount', {
      path: { sessionId },
      body: { password, passwordConfirmation: confirmation },
    })
    if (outcome.ok) {
      local.set(KEYS.userCreated, 'true')
      if (email) local.set(KEYS.userEmail, email)
      location.assign(pagePath(outcome.data.nextPage, sessionId))
      return
    }
    running.current = false
    setBusy(false)
    say(signUpTrouble(outcome))
  }

  function say(problem: SignUpTrouble): void {
    setTrouble(problem)
    if (problem.field) form.current?.querySelector<HTMLInputElement>(`[name="${problem.field}"]`)?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (running.current) return
    setTrouble(null)
    const problem = passwordTrouble(password, confirmation)
    if (problem) say(problem)
    else void create()
  }

  const errorOf = (field: SignUpTrouble['field']): string | null => (trouble?.field === field ? trouble.words : null)
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    if (trouble?.field) setTrouble(null)
  }
  return (
    <div className="step">
      <Breadcrumb at="Account creation" />
      <h1>{fill(content.title, values)}</h1>
      <p className="quiet">{fill(content.intro, values)}</p>
      <form className="stack" ref={form} onSubmit={submit} noValidate>
        <TextField
          label="Email (your username)"
          name="username"
          type="email"
          autoComplete="username"
          value={email ?? ''}
          onChange={() => undefined}
          readOnly
        />
        <TextField
          label="Password"
          name="password"
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          value={password}
          onChange={change(setPassword)}
          error={errorOf('password')}
          hint={PASSWORD_HINT}
          required
        />
        <TextField
          label="Confirm password"
          name="passwordConfirmation"
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          value={confirmation}
          onChange={change(setConfirmation)}
          error={errorOf('passwordConfirmation')}
          required
        />
        <CheckField name="show" checked={shown} onChange={setShown}>
          Show the password
        </CheckField>
        {trouble && !trouble.field && (
          <Notice tone="danger" title={trouble.words} live="assertive">
            {trouble.signIn ? (
              <ButtonLink look="text" href="/app/">
                Sign in
              </ButtonLink>
            ) : (
              <p className="small">Your purchase is safe.</p>
            )}
          </Notice>
        )}
        <Button type="submit" busy={busy} busyLabel="Creating your account">
          {fill(content.button, values)}
        </Button>
      </form>
      <EmailCorrection sessionId={sessionId} onCorrected={reload} />
    </div>
  )
}

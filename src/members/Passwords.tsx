import { useEffect, useState } from 'react'
import { linkToken } from '../session/link-token.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { EmailForm } from '../ui/EmailForm.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import type { Refusal } from '../ui/OneFieldForm.tsx'
import { Title } from '../ui/Title.tsx'
import { ask, wordsOf } from './client.ts'
import { NewPassword } from './NewPassword.tsx'

/** Read once at the start, the token stays in the address (session/link-token.ts). */
const keepToken = (): void => void linkToken()

/** asks for a link to choose a new password. */
export function ForgotPassword() {
  const [sent, setSent] = useState<string | null>(null)

  async function send(email: string): Promise<Refusal | null> {
    const outcome = await ask('forgotPassword', { body: { email } })
    if (!outcome.ok) return { words: wordsOf(outcome), typed: outcome.status === 422 }
    setSent(email)
    return null
  }

  if (sent) {
    return (
      <div className="step">
        <Title focus>Look into your mailbox</Title>
        <p>
          If there is an account for <strong>{sent}</strong>, a link to choose a new password is on its way. It works
          once, for an hour.
        </p>
        <p className="quiet small">Nothing there? Look into the spam folder, or try the address of your order.</p>
        <ButtonLink look="quiet" href="/app/">
          Back to sign in
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="step">
      <Title>Choose a new password</Title>
      <p className="quiet">We mail you a link. Your old password works until you have chosen another.</p>
      <EmailForm button="Send the link" autoComplete="username" send={send} />
      <ButtonLink look="text" href="/app/">
        Back to sign in
      </ButtonLink>
    </div>
  )
}

/** the page of that link. */
export function ResetPassword() {
  const [done, setDone] = useState(false)
  useEffect(keepToken, [])
  if (done) {
    return (
      <div className="step">
        <Title focus>Your new password works</Title>
        <p>For your safety, every browser was signed out.</p>
        <ButtonLink href="/app/">Sign in</ButtonLink>
      </div>
    )
  }
  return (
    <div className="step">
      <Title>Choose a new password</Title>
      <NewPassword
        button="Save the password"
        send={(body) => ask('resetPassword', { body: { ...body, token: linkToken() } })}
        onDone={() => setDone(true)}
        words={{ link_expired: 'This link has been used already, or it is too old. Please ask for a fresh one.' }}
      />
      <ButtonLink look="text" href="/app/forgot-password">
        Send me a fresh link
      </ButtonLink>
    </div>
  )
}

/** the page behind a sign-in link. It asks for a click, because mail programs open links by themselves. */
export function SignInLink() {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  useEffect(keepToken, [])
  async function use(): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const outcome = await ask('useMagicLink', { body: { token: linkToken() } })
    if (outcome.ok) return location.replace('/app/')
    setBusy(false)
    setOver(outcome.code === 'link_expired')
    setTrouble(
      outcome.code === 'link_expired'
        ? 'This link has been used already, or it is too old. Please ask for a fresh one.'
        : wordsOf(outcome),
    )
  }
  return (
    <div className="step">
      <Title>Sign in</Title>
      <p className="quiet">You opened the link of our mail. One click and you are in.</p>
      {trouble && (
        <FailureNotice title={trouble}>
          <a href="/app/">Back to sign in</a>
        </FailureNotice>
      )}
      {!over && (
        <Button onClick={() => void use()} busy={busy} busyLabel="Signing in">
          Sign in
        </Button>
      )}
    </div>
  )
}

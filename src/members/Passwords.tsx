import { useState, type FormEvent } from 'react'
import { parseEmail } from '../../contract/email.ts'
import { linkToken } from '../session/link-token.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextField } from '../ui/TextField.tsx'
import { ask, wordsOf } from './client.ts'
import { NewPassword } from './NewPassword.tsx'
import { Title } from './parts.tsx'

/** asks for a link to choose a new password. */
export function ForgotPassword() {
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [sent, setSent] = useState(false)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const address = parseEmail(email)
    if (!address) return setTrouble('Please enter your email address.')
    if (busy) return
    setBusy(true)
    const outcome = await ask('forgotPassword', { body: { email: address } })
    setBusy(false)
    if (outcome.ok) setSent(true)
    else setTrouble(wordsOf(outcome))
  }

  if (sent) {
    return (
      <div className="step">
        <Title focus>Look into your mailbox</Title>
        <p>
          If there is an account for <strong>{email.trim()}</strong>, a link to choose a new password is on its way. It
          works once, for an hour.
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
      <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          value={email}
          onChange={(value) => {
            setEmail(value)
            setTrouble(null)
          }}
          error={trouble}
          required
        />
        <Button type="submit" busy={busy}>
          Send the link
        </Button>
      </form>
      <ButtonLink look="text" href="/app/">
        Back to sign in
      </ButtonLink>
    </div>
  )
}

/** the page of that link. */
export function ResetPassword() {
  const [done, setDone] = useState(false)
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

/** the page of a sign-in link. One button, because mail programs open links by themselves. */
export function SignInLink() {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function use(): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const outcome = await ask('useMagicLink', { body: { token: linkToken() } })
    if (outcome.ok) return location.replace('/app/')
    setBusy(false)
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
      {trouble ? (
        <Notice tone="danger" title={trouble} live="assertive">
          <a href="/app/">Back to sign in</a>
        </Notice>
      ) : (
        <Button onClick={() => void use()} busy={busy} busyLabel="Signing in">
          Sign in
        </Button>
      )}
    </div>
  )
}

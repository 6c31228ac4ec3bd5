import { useRef, useState, type FormEvent } from 'react'
import { PASSWORD_HINT } from '../../contract/password.ts'
import { passwordTrouble, signUpTrouble, type SignUpTrouble } from '../account/account.ts'
import type { Outcome } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CheckField, TextField } from '../ui/TextField.tsx'
import { wordsOf } from './client.ts'

interface Props {
  /** The user name, for the browser's password store. */
  email?: string | null
  button: string
  send: (body: { password: string; passwordConfirmation: string }) => Promise<Outcome<unknown>>
  onDone: () => void
  /** What to say instead of the service's words, by code. */
  words?: Partial<Record<string, string>>
}

/** choosing a password, with the same rules and messages wherever it happens. */
export function NewPassword({ email, button, send, onDone, words = {} }: Props) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<SignUpTrouble | null>(null)
  const form = useRef<HTMLFormElement>(null)

  function say(problem: SignUpTrouble): void {
    setTrouble(problem)
    if (problem.field) form.current?.querySelector<HTMLInputElement>(`[name="${problem.field}"]`)?.focus()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setTrouble(null)
    const problem = passwordTrouble(password, confirmation)
    if (problem) return say(problem)
    setBusy(true)
    const outcome = await send({ password, passwordConfirmation: confirmation })
    setBusy(false)
    if (outcome.ok) return onDone()
    const known = signUpTrouble(outcome)
    const own = words[outcome.code ?? '']
    say(known.field || known.signIn ? known : { words: own ?? wordsOf(outcome), field: null })
  }

  const errorOf = (field: SignUpTrouble['field']): string | null => (trouble?.field === field ? trouble.words : null)
  return (
    <form className="stack" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {email && (
        <TextField
          label="Email (your username)"
          name="username"
          type="email"
          autoComplete="username"
          value={email}
          onChange={() => undefined}
          readOnly
        />
      )}
      <TextField
        label="Password"
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
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
        onChange={setConfirmation}
        error={errorOf('passwordConfirmation')}
        required
      />
      <CheckField name="show" checked={shown} onChange={setShown}>
        Show the password
      </CheckField>
      {trouble && !trouble.field && (
        <Notice tone="danger" title={trouble.words} live="assertive">
          {trouble.signIn && <a href="/app/">Sign in</a>}
        </Notice>
      )}
      <Button type="submit" busy={busy}>
        {button}
      </Button>
    </form>
  )
}

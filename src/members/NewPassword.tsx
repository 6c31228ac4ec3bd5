import { useState, type FormEvent } from 'react'
import { signUpTrouble } from '../account/account.ts'
import { PasswordFields } from '../account/PasswordFields.tsx'
import { usePassword } from '../account/usePassword.ts'
import type { Outcome } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
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
  const { form, fields, trouble, say, check } = usePassword()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const body = busy ? null : check()
    if (!body) return
    setBusy(true)
    const outcome = await send(body)
    setBusy(false)
    if (outcome.ok) return onDone()
    const known = signUpTrouble(outcome)
    const own = words[outcome.code ?? '']
    say(known.field || known.signIn ? known : { words: own ?? wordsOf(outcome), field: null })
  }

  return (
    <form className="stack" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <PasswordFields fields={fields} email={email} />
      {trouble && <FailureNotice title={trouble.words}>{trouble.signIn && <a href="/app/">Sign in</a>}</FailureNotice>}
      <Button type="submit" busy={busy}>
        {button}
      </Button>
    </form>
  )
}

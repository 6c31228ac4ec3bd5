import { useRef, useState, type FormEvent } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { pagePath } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { passwordTrouble, signUpTrouble, type SignUpTrouble } from './account.ts'

export type SignUp = ReturnType<typeof useSignUp>

/** the password and its confirmation, what is wrong with them, and the creation of the account. */
export function useSignUp(session: SessionView | null) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<SignUpTrouble | null>(null)
  const running = useRef(false)
  const ref = useRef<HTMLFormElement>(null)

  function say(problem: SignUpTrouble): void {
    setTrouble(problem)
    if (problem.field) ref.current?.querySelector<HTMLInputElement>(`[name="${problem.field}"]`)?.focus()
  }

  async function create({ sessionId, email }: SessionView): Promise<void> {
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

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (running.current || !session) return
    setTrouble(null)
    const problem = passwordTrouble(password, confirmation)
    if (problem) say(problem)
    else void create(session)
  }

  const field = (name: SignUpTrouble['field'], value: string, set: (value: string) => void) => ({
    value,
    onChange: (next: string) => {
      set(next)
      if (trouble?.field) setTrouble(null)
    },
    error: trouble?.field === name ? trouble.words : null,
  })

  return {
    ref,
    busy,
    /** What went wrong with the account as a whole; a field's trouble is shown at the field. */
    trouble: trouble?.field ? null : trouble,
    password: field('password', password, setPassword),
    confirmation: field('passwordConfirmation', confirmation, setConfirmation),
    shown,
    setShown,
    submit,
  }
}

import { useRef, useState, type FormEvent } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { pagePath } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { signUpTrouble } from './account.ts'
import { usePassword } from './usePassword.ts'

export type SignUp = ReturnType<typeof useSignUp>

/** the password and its confirmation, what is wrong with them, and the creation of the account. */
export function useSignUp(session: SessionView | null) {
  const { form, fields, trouble, say, check } = usePassword()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)

  async function create({ sessionId, email }: SessionView, body: NonNullable<ReturnType<typeof check>>): Promise<void> {
    running.current = true
    setBusy(true)
    const outcome = await call('createAccount', { path: { sessionId }, body })
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
    const body = check()
    if (body) void create(session, body)
  }

  return { form, fields, busy, trouble, submit }
}

import { useState, type FormEvent } from 'react'
import type { Outcome } from '../session/http.ts'
import { emailFault } from '../ui/field-words.ts'
import { useFields } from '../ui/useFields.ts'
import { ask, wordsOf } from './client.ts'

const NOTHING_TYPED = { email: '', password: '' }

const faultsOf = ({ email, password }: typeof NOTHING_TYPED) => ({
  email: emailFault(email),
  password: password ? undefined : 'Please enter your password.',
})

/** the two ways to sign in, by password or by a mailed link, one at a time. */
export function useSignIn(onDone: () => void) {
  const { form, field, check, refuse } = useFields(() => NOTHING_TYPED, faultsOf)
  const [busy, setBusy] = useState<'password' | 'link' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)

  async function run(way: 'password' | 'link', work: () => Promise<Outcome<unknown>>): Promise<boolean> {
    setBusy(way)
    setTrouble(null)
    const outcome = await work()
    setBusy(null)
    if (outcome.ok) return true
    const unknown = outcome.code === 'wrong_credentials'
    if (!refuse(outcome)) setTrouble(unknown ? 'The email address or the password is not right.' : wordsOf(outcome))
    return false
  }

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    const given = busy ? null : check()
    if (!given) return
    const body = { ...given, email: given.email.trim() }
    if (await run('password', () => ask('signIn', { body }))) onDone()
  }

  async function sendLink(): Promise<void> {
    const given = busy ? null : check('email')
    if (!given) return
    const email = given.email.trim()
    if (await run('link', () => ask('requestMagicLink', { body: { email } }))) setSent(email)
  }

  return { form, field, busy, trouble, /** The address that a link was sent to. */ sent, signIn, sendLink }
}

import { useRef, useState, type FormEvent } from 'react'
import { parseEmail } from '../../contract/email.ts'
import { ask, wordsOf } from './client.ts'

/** the two ways to sign in, by password or by a mailed link, one at a time. */
export function useSignIn(onDone: () => void) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState<'password' | 'link' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [emailTrouble, setEmailTrouble] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)

  function goodEmail(): string | null {
    const address = parseEmail(email)
    setEmailTrouble(address ? null : 'Please enter your email address.')
    if (!address) field.current?.focus()
    return address ?? null
  }

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    const address = goodEmail()
    if (!address || busy) return
    setBusy('password')
    setTrouble(null)
    const outcome = await ask('signIn', { body: { email: address, password } })
    setBusy(null)
    if (outcome.ok) onDone()
    else
      setTrouble(
        outcome.code === 'wrong_credentials' ? 'The email address or the password is not right.' : wordsOf(outcome),
      )
  }

  async function sendLink(): Promise<void> {
    const address = goodEmail()
    if (!address || busy) return
    setBusy('link')
    setTrouble(null)
    const outcome = await ask('requestMagicLink', { body: { email: address } })
    setBusy(null)
    if (outcome.ok) setSent(address)
    else setTrouble(wordsOf(outcome))
  }

  return {
    field,
    email,
    typeEmail(value: string): void {
      setEmail(value)
      setEmailTrouble(null)
    },
    password,
    setPassword,
    busy,
    trouble,
    emailTrouble,
    /** The address that a link was sent to. */
    sent,
    signIn,
    sendLink,
  }
}

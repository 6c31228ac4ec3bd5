import { useState, type FormEvent } from 'react'
import { parseEmail } from '../../contract/email.ts'
import { Button } from './Button.tsx'
import { TextField } from './TextField.tsx'

interface Props {
  button: string
  autoComplete: 'email' | 'username'
  /** Called with a valid address; resolves to what went wrong, or null. */
  send: (address: string) => Promise<string | null>
}

/** A form that asks for an e-mail address and does one thing with it. */
export function EmailForm({ button, autoComplete, send }: Props) {
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const address = parseEmail(email)
    if (!address) return setTrouble('Please enter your email address.')
    if (busy) return
    setBusy(true)
    const wrong = await send(address)
    setBusy(false)
    setTrouble(wrong)
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete={autoComplete}
        value={email}
        onChange={(value) => {
          setEmail(value)
          setTrouble(null)
        }}
        error={trouble}
        required
      />
      <Button type="submit" busy={busy}>
        {button}
      </Button>
    </form>
  )
}

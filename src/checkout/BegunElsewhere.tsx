import { useState, type FormEvent } from 'react'
import { parseEmail } from '../../contract/email.ts'
import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { local } from '../session/storage.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextField } from '../ui/TextField.tsx'

/** D-01: says that the visit began in another browser, and asks. Nothing is opened before the answer. */
export function BegunElsewhere({ onContinue }: { onContinue: () => void }) {
  return (
    <div className="step">
      <h1>Continue here?</h1>
      <p>You are continuing a visit that began in another browser.</p>
      <Notice tone="info" title="If you did not start it, do not continue.">
        <p>Whoever started it could see what you enter. Starting a visit of your own takes a minute.</p>
      </Notice>
      <Button onClick={onContinue}>Yes, it is my visit</Button>
      <ButtonLink look="quiet" href="/">
        Start a visit of my own
      </ButtonLink>
    </div>
  )
}

/** C-17: the visit holds an address, and nobody has shown here that it is theirs: typed anew, every other browser is out. */
export function AddressAnew({ sessionId, onDone }: { sessionId: string; onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const address = parseEmail(email)
    if (!address) return setTrouble('Please enter your email address.')
    if (busy) return
    setBusy(true)
    const outcome = await call('setSessionEmail', { path: { sessionId }, body: { email: address } })
    setBusy(false)
    if (!outcome.ok) return setTrouble('We cannot reach our service. Please try again.')
    local.set(KEYS.quizEmail, address)
    local.set(KEYS.customerEmail, address)
    onDone()
  }

  return (
    <div className="step">
      <h1>Please enter your email address again</h1>
      <p>From then on your plan is open in this browser alone.</p>
      <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          value={email}
          onChange={(value) => {
            setEmail(value)
            setTrouble(null)
          }}
          error={trouble}
          required
        />
        <Button type="submit" busy={busy}>
          Continue
        </Button>
      </form>
    </div>
  )
}

import { useState } from 'react'
import { parseEmail } from '../../contract/email.ts'
import { membersApi } from '../../contract/members.ts'
import { pathOf } from '../../contract/api.ts'
import { request, type Failure } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'

const wordsOf = (failure: Failure): string =>
  failure.code === 'account_exists'
    ? 'There is an account with this address already. Please sign in instead.'
    : (failure.words ?? 'We cannot reach our service. Nothing is lost: please try again.')

/** A-01, 'Wrong email?': a code sent to the right address proves it; then it becomes the user name. */
export function EmailCorrection({ sessionId, onCorrected }: { sessionId: string; onCorrected: () => void }) {
  const [open, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const path = { sessionId }

  async function send(): Promise<void> {
    const address = parseEmail(email)
    if (!address) return setTrouble('Please enter a valid email address.')
    setBusy(true)
    setTrouble(null)
    const outcome = await request('POST', pathOf(membersApi.correctEmail.path, path), { email: address })
    setBusy(false)
    if (outcome.ok) setSentTo(address)
    else setTrouble(wordsOf(outcome))
  }
  async function confirm(): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const outcome = await request('POST', pathOf(membersApi.confirmEmail.path, path), { email: sentTo, code })
    setBusy(false)
    if (outcome.ok) onCorrected()
    else setTrouble(wordsOf(outcome))
  }

  if (!open) {
    return (
      <Button look="text" onClick={() => setOpen(true)}>
        Wrong email?
      </Button>
    )
  }
  return (
    <div className="card stack" role="group" aria-label="Correct the email address">
      {sentTo ? (
        <>
          <p>
            We sent six digits to <strong>{sentTo}</strong>.
          </p>
          <TextField
            label="Code from the mail"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={setCode}
            error={trouble}
          />
          <Button onClick={() => void confirm()} busy={busy}>
            Use this address
          </Button>
          <Button
            look="text"
            onClick={() => {
              setSentTo(null)
              setTrouble(null)
            }}
          >
            Another address
          </Button>
        </>
      ) : (
        <>
          <TextField
            label="The right email address"
            name="correctEmail"
            type="email"
            inputMode="email"
            autoComplete="email"
            value={email}
            onChange={setEmail}
            error={trouble}
            hint="We send a code there, so that it is yours."
          />
          <Button look="quiet" onClick={() => void send()} busy={busy}>
            Send the code
          </Button>
          <Button look="text" onClick={() => setOpen(false)}>
            Keep the address as it is
          </Button>
        </>
      )}
    </div>
  )
}

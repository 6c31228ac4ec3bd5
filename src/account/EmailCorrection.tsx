import { useEffect, useId, useRef, useState } from 'react'
import { membersApi } from '../../contract/members.ts'
import { pathOf } from '../../contract/api.ts'
import { request, type Failure } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { CodeForm } from '../ui/CodeForm.tsx'
import { EmailForm } from '../ui/EmailForm.tsx'
import type { Refusal } from '../ui/OneFieldForm.tsx'

const refusalOf = (failure: Failure): Refusal => ({
  words: failure.words ?? 'We cannot reach our service. Nothing is lost: please try again.',
  typed: failure.status === 422,
})

/** A-01, 'Wrong email?': a code sent to the right address proves it; then it becomes the user name. */
export function EmailCorrection({ sessionId, onCorrected }: { sessionId: string; onCorrected: () => void }) {
  const [step, setStep] = useState<'closed' | 'address' | 'code'>('closed')
  const [address, setAddress] = useState('')
  const id = useId()
  const shown = useRef(step)

  useEffect(() => {
    // what had the focus is gone with the step before
    const place = shown.current === step ? null : document.getElementById(id)
    shown.current = step
    void (place?.querySelector('input') ?? place)?.focus()
  }, [id, step])

  async function ask(what: 'correctEmail' | 'confirmEmail', body: object, done: () => void): Promise<Refusal | null> {
    const outcome = await request('POST', pathOf(membersApi[what].path, { sessionId }), body)
    if (!outcome.ok) return refusalOf(outcome)
    done()
    return null
  }
  const send = (email: string) =>
    ask('correctEmail', { email }, () => {
      setAddress(email)
      setStep('code')
    })

  if (step === 'closed') {
    return (
      <Button look="text" id={id} onClick={() => setStep('address')}>
        Wrong email?
      </Button>
    )
  }
  return (
    <div className="card stack" id={id} role="group" aria-label="Correct the email address">
      {step === 'code' ? (
        <>
          <p>
            We sent six digits to <strong>{address}</strong>.
          </p>
          <CodeForm
            button="Use this address"
            send={(code) => ask('confirmEmail', { email: address, code }, onCorrected)}
          >
            <Button look="text" onClick={() => setStep('address')}>
              Another address
            </Button>
          </CodeForm>
        </>
      ) : (
        <EmailForm
          label="The right email address"
          name="correctEmail"
          autoComplete="email"
          hint="We send a code there, so that it is yours."
          button="Send the code"
          look="quiet"
          known={address}
          send={send}
        >
          <Button look="text" onClick={() => setStep('closed')}>
            Keep the address as it is
          </Button>
        </EmailForm>
      )}
    </div>
  )
}

import { call } from '../session/client.ts'
import * as KEYS from '../session/keys.ts'
import { local } from '../session/storage.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { EmailForm } from '../ui/EmailForm.tsx'
import { Notice } from '../ui/Notice.tsx'
import type { Refusal } from '../ui/OneFieldForm.tsx'
import { Title } from '../ui/Title.tsx'

/**
 * D-01: says that the visit may have begun in another browser, and asks whether to go on. Opens nothing before the
 * answer.
 */
export function BegunElsewhere({ onContinue }: { onContinue: () => void }) {
  return (
    <div className="step">
      <h1>Continue here?</h1>
      <p>You are continuing a visit that may have begun in another browser.</p>
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

/** C-17: the visit has an e-mail address that has not been proved here. Entering one shuts all other browsers out. */
export function AddressAnew({ sessionId, onDone }: { sessionId: string; onDone: () => void }) {
  async function send(email: string): Promise<Refusal | null> {
    const outcome = await call('setSessionEmail', { path: { sessionId }, body: { email } })
    if (!outcome.ok) {
      const words = outcome.words ?? 'We cannot reach our service. Please try again.'
      return { words, typed: outcome.status === 422 }
    }
    local.set(KEYS.quizEmail, email)
    local.set(KEYS.customerEmail, email)
    onDone()
    return null
  }

  return (
    <div className="step">
      <Title focus>Please enter your email address again</Title>
      <p>From then on your plan is open in this browser alone.</p>
      <EmailForm button="Continue" autoComplete="email" send={send} />
    </div>
  )
}

import { useRef, useState } from 'react'
import type { EmailStep } from '../../../contract/content.ts'
import { parseEmail } from '../../../contract/email.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { likelyAddress } from '../likely-address.ts'
import type { StepProps } from '../step-view.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

const INCOMPLETE = 'This is not a complete e-mail address yet. It looks like name@example.com.'
const UNUSUAL = 'Please check this address: only letters a to z, digits and . _ - + can come before the @.'
const EMPTY = 'Please enter your email address. It looks like name@example.com.'

/**
 * S-23: validity shows live; the button stays disabled until the address is valid, so Enter and leaving the field
 * explain what is wrong.
 */
export default function Email({ quiz, step }: StepProps<EmailStep>) {
  const [text, setText] = useState(() => quiz.$answers.get().email ?? '')
  const [left, setLeft] = useState(false)
  const [typing, setTyping] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const address = parseEmail(text)
  const valid = address !== undefined
  const meant = address && likelyAddress(address, typing)
  const empty = text.trim() === ''
  const wrong = left && !valid

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!quiz.submitEmail(text)) setLeft(true)
      }}
    >
      <SealedResults />
      <StepTitle>{step.title}</StepTitle>
      <div className="email-field" data-valid={valid || undefined}>
        <TextField
          label={step.label}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          placeholder={step.inputPlaceholder}
          required
          value={text}
          onChange={(next) => {
            setText(next)
            setTyping(true)
            // begun anew: nothing is wrong yet
            if (empty) setLeft(false)
          }}
          onBlur={() => {
            setLeft(true)
            setTyping(false)
          }}
          // Enter does not submit a form whose button is disabled
          onEnter={() => setLeft(true)}
          error={wrong ? faultOf(text.trim()) : null}
        />
        <div aria-live="polite">
          {meant && (
            <div className="email-meant">
              <Button
                look="text"
                onClick={() => {
                  setText(meant)
                  // the pressed button goes away
                  form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
                }}
              >
                Did you mean {meant}?
              </Button>
            </div>
          )}
        </div>
      </div>
      <p className="step-note">
        <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
          <rect x="4" y="9" width="12" height="8" rx="2" />
          <path d="M6.5 9V6.5a3.5 3.5 0 0 1 7 0V9" />
        </svg>
        {step.note}
      </p>
      <StepButton submit disabled={!valid}>
        {step.button}
      </StepButton>
    </form>
  )
}

function faultOf(text: string): string {
  if (!text) return EMPTY
  return /^[^\s@]+@[^\s@]+\.\w+$/.test(text) ? UNUSUAL : INCOMPLETE
}

/** An envelope with a sheet showing a curve: the results inside. */
function SealedResults() {
  return (
    <svg className="email-art" viewBox="0 0 160 104" fill="none" aria-hidden="true">
      <rect x="34" y="6" width="92" height="72" rx="8" fill="#fff" stroke="#B9C8DE" strokeWidth="2.5" />
      <path
        d="M48 56c12 0 14-22 26-22s12 12 22 12 10-20 18-20"
        stroke="#1A75FF"
        strokeWidth="4.5"
        strokeLinecap="round"
      />
      <path d="M48 22h26" stroke="#DCE5F2" strokeWidth="6" strokeLinecap="round" />
      <path
        d="M20 48v42a8 8 0 0 0 8 8h104a8 8 0 0 0 8-8V48L80 84Z"
        fill="#EAF2FF"
        stroke="#1A75FF"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <circle cx="128" cy="20" r="13" fill="#0B7A55" />
      <path d="m122 20 4.5 4.5L135 16" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

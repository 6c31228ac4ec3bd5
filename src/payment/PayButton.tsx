import { Button } from '../ui/Button.tsx'
import type { Phase } from './usePayment.ts'

const PHASE_WORDS: Record<Exclude<Phase, 'idle'>, string> = {
  preparing: 'Preparing your payment. Please keep this page open.',
  confirming: 'Confirming with your bank. Please keep this page open.',
  leaving: 'Taking you to PayPal…',
  finishing: 'Finishing your order. Please keep this page open.',
}

/** The pay button of the checkout, with what is under way and the promise below it. */
export function PayButton({ phase, label }: { phase: Phase; label: string }) {
  const words = phase === 'idle' ? '' : PHASE_WORDS[phase]
  return (
    <>
      <Button type="submit" busy={phase !== 'idle'} busyLabel={words}>
        {label}
      </Button>
      {words && <p className="pay-phase">{words}</p>}
      <p className="pay-safe">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11z" />
        </svg>
        Encrypted. Your card goes straight to Stripe; we never see it.
      </p>
    </>
  )
}

import type { RequestOf } from '../../contract/api.ts'
import { CONTRACT_WORDS, EXIT_NAME_MAX, EXIT_REASON_MAX, type ExitKind } from '../../contract/exit.ts'
import { emailFault } from '../ui/field-words.ts'
import type { Faults } from '../ui/useFields.ts'

/** A statement as it is typed; `kind` is chosen first. */
export type Draft = Omit<RequestOf<'leave'>, 'kind' | 'reason' | 'id'> & { kind: ExitKind | null; reason: string }
export const EMPTY: Draft = { kind: null, contract: 'everything', name: '', email: '', reason: '' }

const tooLong = (text: string, most: number): string | undefined =>
  text.trim().length > most ? `Please use at most ${most} characters.` : undefined

/** What is missing or wrong, by field; the service asks the same (contract/api/exit.ts). */
export const problemsOf = ({ kind, name, email, reason }: Draft): Faults<keyof Draft> => ({
  kind: kind ? undefined : 'Please choose what you want.',
  name: name.trim() ? tooLong(name, EXIT_NAME_MAX) : 'Please enter your name.',
  email: emailFault(email, 'Please enter the email address you bought with.'),
  reason: tooLong(reason, EXIT_REASON_MAX),
})

/** "November 25, 2026 at 10:00 AM GMT+1", in the reader's own time. */
export function momentOf(iso: string): string {
  const at = new Date(iso)
  const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(at)
  const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }).format(
    at,
  )
  return `${date} at ${time}`
}

/** What was stated, as label and value. */
export function factsOf({ kind, contract, name, email, reason }: Draft): [label: string, value: string][] {
  return [
    kind === 'end' ? ['Cancel', CONTRACT_WORDS.subscription] : ['Withdraw from', CONTRACT_WORDS[contract]],
    ['Name', name.trim()],
    ['Email', email.trim()],
    ...(reason.trim() ? ([['Reason', reason.trim()]] satisfies [string, string][]) : []),
  ]
}

/** What follows from a statement, before and after it is sent. */
export const EFFECTS: Record<ExitKind, string> = {
  end: 'Nothing is charged for a period that begins from now on. What you have paid for stays open to its end.',
  withdraw:
    'Nothing more is charged for what you withdraw from. After 24 hours we process it: what you have a right to ' +
    'comes back to the card or PayPal account that paid.',
}

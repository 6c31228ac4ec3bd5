import type { RequestOf } from '../../contract/api.ts'
import { parseEmail } from '../../contract/email.ts'
import { CONTRACT_WORDS, EXIT_NAME_MAX, EXIT_REASON_MAX, type ExitKind } from '../../contract/exit.ts'
import type { Failure } from '../session/http.ts'

/** A statement as it is typed; `kind` is chosen first. */
export type Draft = Omit<RequestOf<'leave'>, 'kind' | 'reason' | 'id'> & { kind: ExitKind | null; reason: string }
export type Field = 'kind' | 'contract' | 'name' | 'email' | 'reason'
export type Problems = Partial<Record<Field, string>>

export const EMPTY: Draft = { kind: null, contract: 'everything', name: '', email: '', reason: '' }

/** What is missing or wrong, by field; the service asks the same (contract/api/exit.ts). */
export function problemsOf({ kind, name, email, reason }: Draft): Problems {
  const problems: Problems = {}
  if (!kind) problems.kind = 'Please choose what you want.'
  if (!name.trim()) problems.name = 'Please enter your name.'
  if (name.trim().length > EXIT_NAME_MAX) problems.name = `Please use at most ${EXIT_NAME_MAX} characters.`
  if (!parseEmail(email)) problems.email = 'Please enter the email address you bought with.'
  if (reason.trim().length > EXIT_REASON_MAX) problems.reason = `Please use at most ${EXIT_REASON_MAX} characters.`
  return problems
}

const FIELDS: readonly string[] = ['kind', 'contract', 'name', 'email', 'reason'] satisfies Field[]

/** The field that the service refused; null where it refused for another reason. */
export function refusedField({ field, status }: Failure): Field | null {
  return status === 422 && field && FIELDS.includes(field) ? (field as Field) : null
}

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

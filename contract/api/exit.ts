/** Leaving without a login: the page /exit (H-02, H-04). */
import { z } from 'zod'
import { EXIT_CONTRACTS, EXIT_KINDS, EXIT_NAME_MAX, EXIT_REASON_MAX } from '../exit.ts'
import { emailText, moment, text, trimmedText } from './parts.ts'

const kind = z.enum(EXIT_KINDS)
const contract = z.enum(EXIT_CONTRACTS)

const exitRequest = z.object({
  /** Made by the page for one statement: sent twice, it is one. Without it, each request is a statement. */
  id: z.uuid().optional(),
  kind,
  /** To end something means the subscription, whatever is named: nothing else is charged again. */
  contract,
  name: trimmedText(EXIT_NAME_MAX).min(1),
  email: emailText,
  reason: trimmedText(EXIT_REASON_MAX).optional(),
})

/** The same for an address that is known and one that is not. */
const exitReceived = z.strictObject({
  receivedAt: moment,
  /** When it is carried out; it counts from `receivedAt`. */
  effectAt: moment,
})
export type ExitReceived = z.infer<typeof exitReceived>

const token = text(2_048)

const exitView = z.strictObject({
  /** valid: can be taken back; taken_back; nothing: no contract found; over: carried out, or the period has ended. */
  state: z.enum(['valid', 'taken_back', 'nothing', 'over', 'invalid']),
  kind: kind.nullable(),
  contract: contract.nullable(),
  receivedAt: moment.nullable(),
  effectAt: moment.nullable(),
})
export type ExitView = z.infer<typeof exitView>

export const exitShapes = {
  leave: {
    summary: 'End the subscription or withdraw from the contract, without a sign-in (H-02, H-04)',
    request: exitRequest,
    answer: exitReceived,
  },
  exitLink: { summary: 'What the link of an acknowledgement is about', request: z.object({ token }), answer: exitView },
  takeExitBack: {
    summary: 'Take a cancellation or a withdrawal back, by the link of its acknowledgement',
    request: z.object({ token }),
    answer: exitView,
  },
}

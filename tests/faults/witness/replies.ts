/** A reply as a page takes it. */
import type { Failure } from '../../../src/session/http.ts'
import { noAnswer, refusal } from '../../../src/session/outcomes.fixture.ts'
import type { Reply } from '../buyer.ts'

/** Any success; 202 is one that is carried out later. */
export const isDone = (reply: Reply | undefined): reply is Reply => reply !== undefined && reply.status < 300

/** A reply that is not a success. */
export function failureOf(reply: Reply | undefined): Failure {
  return reply ? refusal(reply.body?.error?.code ?? null, reply.status) : noAnswer()
}

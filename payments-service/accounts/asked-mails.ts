import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { mailAlreadySubscribed } from '../notices/already-subscribed.ts'
import { mailResumeLink } from '../sessions/handover.ts'
import { mailSignInLink, startPasswordReset } from './sign-in.ts'

/** Mails that anybody may ask for by typing an address or an id, and what is looked up for each. */
const ASKED = {
  /** The subject is an address. */
  password_reset: startPasswordReset,
  /** The subject is an address. */
  magic_link: mailSignInLink,
  /** P-14. The subject is the id of the session that orders. */
  already_subscribed: mailAlreadySubscribed,
  /** C-02. The subject is a session's id. */
  resume_link: mailResumeLink,
} as const satisfies Record<string, (deps: Deps, subject: string) => Promise<void>>

type Asked = keyof typeof ASKED

/**
 * Notes that a mail was asked for. Whether anybody is there to get it is looked up after the answer, by a job, so that
 * neither the words nor the time of the answer tell it.
 */
export async function askForMail(deps: Deps, kind: Asked, subject: string): Promise<void> {
  await enqueue(deps.db, { kind: 'asked_mail', reason: randomUUID(), sessionId: null, payload: { kind, subject } })
  deps.wake('outbox')
}

/** Sends what was asked for, where there is somebody; what was typed is not kept. */
export const sendAskedMail: OutboxHandler = async (deps, job) => {
  const { kind, subject } = job.payload as { kind: Asked; subject: string }
  await ASKED[kind](deps, subject)
  await deps.db.deleteFrom('outbox').where('id', '=', job.id).execute()
}

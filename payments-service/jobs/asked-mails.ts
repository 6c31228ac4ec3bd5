import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { OutboxHandler } from './outbox.ts'
import { enqueue } from './outbox.queries.ts'

/**
 * Mails that anyone may ask for by typing an address or an id. The subject of a password reset and of a sign-in link
 * is an address, that of a second order (P-14) and of a link back into a visit (C-02) the id of a session.
 */
export type AskedMail = 'password_reset' | 'magic_link' | 'already_subscribed' | 'resume_link'

/** Finds the recipient of a requested mail, if any, and queues it. */
export type AskedMailSenders = Readonly<Record<AskedMail, (deps: Deps, subject: string) => Promise<void>>>

/**
 * Records that a mail was requested. A job looks the recipient up after the answer, so that neither the words nor the
 * time of the answer reveal whether there is one.
 */
export async function askForMail(deps: Deps, kind: AskedMail, subject: string): Promise<void> {
  await enqueue(deps.db, { kind: 'asked_mail', reason: randomUUID(), sessionId: null, payload: { kind, subject } })
  deps.wake('outbox')
}

/** The handler that sends a requested mail if it has a recipient; what was typed is not kept. */
export function askedMailHandler(senders: AskedMailSenders): OutboxHandler {
  return async (deps, job) => {
    const { kind, subject } = job.payload as { kind: AskedMail; subject: string }
    await senders[kind](deps, subject)
    await deps.db.deleteFrom('outbox').where('id', '=', job.id).execute()
  }
}

import { sql } from 'kysely'
import { parseEmail } from '../../contract/email.ts'
import type { Database } from '../../db/connect.ts'
import type { Mail, MailKind } from '../mail/mail.ts'
import { enqueue } from './outbox.queries.ts'

interface MailOptions {
  /** The session the mail is about, so that an operator sees it there. */
  sessionId?: string
  /** Not after: a sign-in link an hour late is worse than none. */
  notAfter?: Date
}

/**
 * The most mails of a kind to one address within a day, where anybody who types the address can request them: nobody
 * can flood a mailbox through us, from however many visits. After these it is one an hour: strangers who ask keep the
 * owner waiting, not out.
 */
const MOST_A_DAY: Partial<Record<MailKind, number>> = {
  resume_link: 5,
  exit_received: 5,
  password_reset: 5,
  magic_link: 10,
  email_verification_code: 10,
}

/** Whether the address may get another one. Concurrent calls wait for each other: the transaction locks the address. */
async function hasRoom(tx: Database, kind: MailKind, to: string, most: number): Promise<boolean> {
  const address = to.toLowerCase()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails ${kind} ${address}`}, 0))`.execute(tx)
  const { rows } = await sql<{ room: boolean }>`
    select count(*) < ${most}::int or max(created_at) < now() - interval '1 hour' as room from outbox
    where lower(payload -> 'mail' ->> 'to') = ${address} and created_at > now() - interval '1 day'
      and kind = ${`mail:${kind}`}`.execute(tx)
  return rows[0]?.room ?? false
}

/**
 * Queues a mail that is written already, in the caller's transaction: one that holds a code or a token known only now,
 * or belongs to no visit. All others are queued as facts (`enqueue`) and written when they are sent. `reason` names
 * what it is about: the same kind and reason a second time changes nothing. Nothing is queued for an address that has
 * reached its limit, nor about an erased visit (D-12). Resolves to whether the mail is new. Throws TypeError when
 * `to` is no address or the reason is empty.
 */
export async function queueMail(tx: Database, mail: Mail, reason: string, options: MailOptions = {}): Promise<boolean> {
  const to = parseEmail(mail.to)
  if (!to) throw new TypeError('a mail needs an address to go to')
  if (!reason) throw new TypeError('a mail needs a reason: it is what makes it one')
  const most = MOST_A_DAY[mail.kind]
  if (most !== undefined) {
    if (!tx.isTransaction) return tx.transaction().execute((own) => queueMail(own, mail, reason, options))
    if (!(await hasRoom(tx, mail.kind, to, most))) return false
  }
  const { sessionId = null, notAfter } = options
  const payload = { mail: { ...mail, to } }
  return enqueue(tx, { kind: `mail:${mail.kind}`, reason, sessionId, payload, ...(notAfter ? { notAfter } : {}) })
}

/** Mails waiting in the outbox: put there in the transaction that makes them true. */
import { type Kysely, sql } from 'kysely'
import { parseEmail } from '../../contract/email.ts'
import type { DB } from '../../db/types.ts'
import { isErased } from '../erasures/erased.queries.ts'
import type { Mail, MailKind } from './mail.ts'

/** `outbox.kind` of every mail. */
export const OUTBOX_KIND = 'mail'

/** `outbox.payload` of a mail. */
export interface MailPayload {
  mail: Mail
  /** Why it is sent, as the use case named it; stands in mail_log. */
  reason: string
  /** Instant after which it is not sent any more. */
  notAfter?: string
}

export interface QueueOptions {
  /** The session the mail is about, for the operator's story of it. */
  sessionId?: string
  /** Not before; at once when left out. */
  sendAt?: Date
  /** Not after: a sign-in link an hour late is worse than none. */
  notAfter?: Date
}

/**
 * The outbox key of one mail: a kind and a reason, so that one reason can call for two kinds (a
 * refund and an end of access).
 */
export function mailKey(kind: MailKind, reason: string): string {
  return `${OUTBOX_KIND}:${kind}:${reason}`
}

/**
 * Mails of a kind for one address within a day, where somebody who only types the address can ask for them: nobody
 * fills a mailbox through us, from however many visits.
 */
const MOST_A_DAY: Partial<Record<MailKind, number>> = {
  resume_link: 5,
  already_subscribed: 2,
  password_reset: 5,
  magic_link: 10,
  email_verification_code: 10,
}

/**
 * Whether the address may have another one. Asked one after the other: the transaction holds the address until it ends.
 */
async function hasRoom(trx: Kysely<DB>, kind: MailKind, to: string, most: number): Promise<boolean> {
  const address = to.toLowerCase()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails ${kind} ${address}`}, 0))`.execute(trx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from outbox
    where kind = ${OUTBOX_KIND} and lower(payload -> 'mail' ->> 'to') = ${address}
      and created_at > now() - interval '1 day' and payload -> 'mail' ->> 'kind' = ${kind}`.execute(trx)
  return (rows[0]?.n ?? 0) < most
}

/**
 * Queues a mail inside the caller's transaction. `reason` names the thing it is about ("pi_123", "sub_1:2026-12-23"):
 * the same kind and reason a second time changes nothing; nothing is queued for an address that had its mails of
 * today, nor about an erased visit (D-12). Resolves to whether the mail is new. Throws TypeError when `to` is no
 * address or the reason is empty.
 */
export async function queueMail(
  trx: Kysely<DB>,
  mail: Mail,
  reason: string,
  options: QueueOptions = {},
): Promise<boolean> {
  const to = parseEmail(mail.to)
  if (!to) throw new TypeError('a mail needs an address to go to')
  if (!reason) throw new TypeError('a mail needs a reason: it is what makes it one')
  if (options.sessionId && (await isErased(trx, options.sessionId))) return false
  const most = MOST_A_DAY[mail.kind]
  if (most !== undefined) {
    if (!trx.isTransaction) return trx.transaction().execute((own) => queueMail(own, mail, reason, options))
    if (!(await hasRoom(trx, mail.kind, to, most))) return false
  }
  const payload: MailPayload = {
    mail: { ...mail, to },
    reason,
    ...(options.notAfter ? { notAfter: options.notAfter.toISOString() } : {}),
  }
  const row = await trx
    .insertInto('outbox')
    .values({
      kind: OUTBOX_KIND,
      dedupe_key: mailKey(mail.kind, reason),
      session_id: options.sessionId ?? null,
      payload: JSON.stringify(payload),
      ...(options.sendAt ? { next_attempt_at: options.sendAt } : {}),
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The session has another address now (A-01): letters of notices that still wait for the old one are written anew, with
 * links of their own.
 */
export async function rewriteLetters(trx: Kysely<DB>, sessionId: string, formerly: string): Promise<void> {
  await sql`
    with letters as (
      delete from outbox where session_id = ${sessionId} and kind = ${OUTBOX_KIND} and sent_at is null
        and dedupe_key like '%:letter' and lower(payload->'mail'->>'to') = lower(${formerly})
      returning dedupe_key
    )
    update outbox set sent_at = null, attempts = 0, next_attempt_at = clock_timestamp()
    where dedupe_key in (select left(dedupe_key, -length(':letter')) from letters)`.execute(trx)
}

/**
 * The payload without what opens something: links and codes are keys, and nobody needs them once they are delivered.
 * Amounts, dates and products stay, as evidence of what was said.
 */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      /Url$|^code$/.test(key) && inner ? '(sent)' : withoutKeys(inner),
    ]),
  )
}

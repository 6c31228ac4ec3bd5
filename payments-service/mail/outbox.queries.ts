/**
 * What the sender does to the outbox: claim, settle, put off, give up. Times are the
 * database's: several machines share it.
 */
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../db/types.ts'
import { OUTBOX_KIND } from './queue.ts'

export interface ClaimedMail {
  id: string
  sessionId: string | null
  payload: unknown
  messageId: string
  /** This one included. */
  attempts: number
}

/**
 * Claims the mail that is due longest, for `leaseMs`: until then no other worker sees it; after that it is taken for
 * lost with its worker and due again. The Message-ID is set with the first claim and never changes.
 */
export async function claimMail(db: Kysely<DB>, leaseMs: number, domain: string): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select id from outbox
      where kind = ${OUTBOX_KIND} and sent_at is null and dead_at is null and next_attempt_at <= clock_timestamp()
      order by next_attempt_at, id
      limit 1
      for update skip locked
    )
    update outbox set
      attempts = attempts + 1,
      next_attempt_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      message_id = coalesce(message_id, '<' || outbox.id || '@' || ${domain}::text || '>')
    from due where outbox.id = due.id
    returning outbox.id, outbox.session_id as "sessionId", outbox.payload, outbox.message_id as "messageId", outbox.attempts`.execute(
    db,
  )
  return rows[0]
}

export interface Outcome {
  kind: string
  recipient: string
  subject: string
  detail: string
  /** What is kept of the payload: without the links, which are keys. */
  payload: unknown
}

/** Records in one transaction that a mail was accepted. A second record of the same message changes nothing. */
export function recordSent(db: Kysely<DB>, mail: ClaimedMail, outcome: Outcome): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('outbox')
      .set({
        sent_at: sql`clock_timestamp()`,
        last_error: null,
        dead_at: null,
        payload: JSON.stringify(outcome.payload),
      })
      .where('id', '=', mail.id)
      .where('sent_at', 'is', null)
      .execute()
    await log(trx, mail, outcome, 'sent')
  })
}

/** Puts a mail off. Only while the claim is still ours: after that the row is another worker's. */
export async function putOff(db: Kysely<DB>, mail: ClaimedMail, waitMs: number, error: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'`, last_error: error })
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .where('sent_at', 'is', null)
    .execute()
}

/**
 * Makes a mail a dead letter, with the reason, for the operator; `forGood` also drops its links: it is never revived.
 */
export function giveUp(
  db: Kysely<DB>,
  mail: ClaimedMail,
  error: string,
  outcome: Outcome,
  forGood = false,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('outbox')
      .set({
        dead_at: sql`clock_timestamp()`,
        last_error: error,
        ...(forGood ? { payload: JSON.stringify(outcome.payload) } : {}),
      })
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .where('sent_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await log(trx, mail, outcome, 'failed')
  })
}

/** The row may have been withdrawn in between: the log then stands without it. */
async function log(trx: Kysely<DB>, mail: ClaimedMail, outcome: Outcome, result: 'sent' | 'failed'): Promise<void> {
  await sql`
    insert into mail_log (outbox_id, session_id, kind, recipient, subject, message_id, result, detail)
    values ((select id from outbox where id = ${mail.id}), ${mail.sessionId}, ${outcome.kind}, ${outcome.recipient},
      ${outcome.subject}, ${mail.messageId}, ${result}, ${outcome.detail})
    on conflict (message_id) where result = 'sent' do nothing`.execute(trx)
}

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { traceparent } from '../tracing/tracing.ts'
import { classOf, type OutboxKind } from './kinds.ts'

export { type OutboxKind, PERSONAL_KINDS } from './kinds.ts'

export interface OutboxEntry {
  kind: OutboxKind
  /** Makes the entry unique for ever: a second one of the same kind and reason is dropped. */
  reason: string
  /** Null for what belongs to no visit. */
  sessionId: string | null
  payload: object
  /** Do not send before this; at once when left out. */
  sendAt?: Date
  /** Do not send a mail after this: it would come too late to help. */
  notAfter?: Date
}

/** Whether a job's mail in `outbox` was sent: one that had nothing to say was done without. */
export const MAIL_SENT = sql<boolean>`(sent_at is not null and payload ? 'mail')`

/** A stable id for what is sent for a reason: the same on every try. */
export function stableId(reason: string): string {
  return createHash('sha256').update(reason).digest('hex').slice(0, 32)
}

/** Writes an entry in the transaction that makes it true. Returns whether it is new. */
export async function enqueue(tx: Database, entry: OutboxEntry): Promise<boolean> {
  return (await enqueueAll(tx, [entry])) > 0
}

/** Whether an entry was written for a reason before, sent or not. */
export async function isQueued(db: Database, kind: OutboxKind, reason: string): Promise<boolean> {
  const entry = db.selectFrom('outbox').select('id').where('dedupe_key', '=', `${kind}:${reason}`)
  return (await entry.executeTakeFirst()) !== undefined
}

/** Makes an entry due that was to be sent later. */
export async function sendNow(db: Database, { kind, reason }: Pick<OutboxEntry, 'kind' | 'reason'>): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: sql<Date>`least(next_attempt_at, now())` })
    .where('dedupe_key', '=', `${kind}:${reason}`)
    .where('sent_at', 'is', null)
    .execute()
}

/** Writes several entries. Returns how many are new. For an erased visit only money jobs are kept (D-12). */
export async function enqueueAll(tx: Database, all: readonly OutboxEntry[]): Promise<number> {
  if (all.length === 0) return 0
  const caused = traceparent()
  const entries = all.map(({ kind, reason, sessionId, payload, sendAt, notAfter }) => ({
    kind,
    dedupe_key: `${kind}:${reason}`,
    session_id: sessionId,
    payload: { ...payload, ...(notAfter ? { notAfter } : {}), ...(caused ? { traceparent: caused } : {}) },
    next_attempt_at: sendAt,
    personal: classOf(kind) !== 'money',
  }))
  const { rows } = await sql`
    insert into outbox (kind, dedupe_key, session_id, payload, next_attempt_at)
    select kind, dedupe_key, session_id, payload, coalesce(next_attempt_at, now())
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (kind text, dedupe_key text, session_id uuid,
      payload jsonb, next_attempt_at timestamptz, personal boolean)
    where not personal or not exists (select from erasures e where e.session_id = entry.session_id)
    on conflict (dedupe_key) do nothing returning id`.execute(tx)
  return rows.length
}

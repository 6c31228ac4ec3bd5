import { createHash } from 'node:crypto'
import type { Database } from '../../db/connect.ts'
import { erasedAmong } from '../erasures/erased.queries.ts'
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
  /** Do not send a mail after this: too late, it helps nobody. */
  notAfter?: Date
}

/** A stable id for what is sent for a reason: the same on every try. */
export function stableId(reason: string): string {
  return createHash('sha256').update(reason).digest('hex').slice(0, 32)
}

/** Writes an entry in the transaction that makes it true. Returns whether it is new. */
export async function enqueue(tx: Database, entry: OutboxEntry): Promise<boolean> {
  return (await enqueueAll(tx, [entry])) > 0
}

/** Writes several entries. Returns how many are new. For an erased visit only money jobs are kept (D-12). */
export async function enqueueAll(tx: Database, all: readonly OutboxEntry[]): Promise<number> {
  const personal = all.flatMap(({ kind, sessionId }) => (classOf(kind) !== 'money' && sessionId ? [sessionId] : []))
  const erased = await erasedAmong(tx, personal)
  const entries = all.filter(({ kind, sessionId }) => classOf(kind) === 'money' || !erased.has(sessionId ?? ''))
  if (entries.length === 0) return 0
  const made = await tx
    .insertInto('outbox')
    .values(
      entries.map(({ kind, reason, sessionId, payload, sendAt, notAfter }) => ({
        kind,
        dedupe_key: `${kind}:${reason}`,
        session_id: sessionId,
        payload: JSON.stringify(notAfter ? { ...payload, notAfter } : payload),
        ...(sendAt ? { next_attempt_at: sendAt } : {}),
      })),
    )
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .execute()
  return made.length
}

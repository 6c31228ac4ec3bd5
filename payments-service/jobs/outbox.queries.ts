import { createHash } from 'node:crypto'
import type { Database } from '../../db/connect.ts'
import { erasedAmong } from '../erasures/erased.queries.ts'
import { classOf, type OutboxKind } from './kinds.ts'

export { type OutboxKind, PERSONAL_KINDS } from './kinds.ts'

export interface OutboxEntry {
  kind: OutboxKind
  /** The reason, once for ever: a second entry of the same reason is no entry. */
  reason: string
  /** Null for what belongs to no visit. */
  sessionId: string | null
  payload: object
  /** Not before; at once when left out. */
  sendAt?: Date
  /** A mail is not sent after this: too late, it helps nobody. */
  notAfter?: Date
}

/** A stable id for what a reason sends: the same on every try. */
export function stableId(reason: string): string {
  return createHash('sha256').update(reason).digest('hex').slice(0, 32)
}

/** Written in the transaction that makes the thing true. Returns whether it is new. */
export async function enqueue(tx: Database, entry: OutboxEntry): Promise<boolean> {
  return (await enqueueAll(tx, [entry])) > 0
}

/** Several at once. Returns how many are new. Nothing but money is noted for an erased visit (D-12). */
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

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** The token that a request shows for the session it names. */
export interface Presented {
  sessionId: string
  tokenHash: Buffer
}

/** `fresh`: the token was never used before. `idle`: the session was not marked as active for a minute. */
export interface Opened {
  fresh: boolean
  idle: boolean
}

/**
 * Checks a token and runs `writes` in the same statement, which is a transaction by itself: a token being revoked right
 * now has either written before or writes nothing. A write is a named part of the statement ("saved as (insert …)") and
 * takes the session's `id` and `key` from `open`, which is empty if the token does not open it (undefined).
 */
export async function writeOpened(
  db: Database,
  { sessionId, tokenHash }: Presented,
  writes: readonly RawBuilder<unknown>[],
): Promise<Opened | undefined> {
  const open = sql`open as materialized (
    select s.id, s.key, a.last_used_at = a.created_at as fresh, s.last_activity_at < now() - interval '60 seconds'
      as idle
    from session_access a join sessions s on s.id = a.session_id
    where a.token_hash = ${tokenHash} and a.session_id = ${sessionId}
      and a.revoked_at is null and a.expires_at > now()
  )`
  const { rows } = await sql<Opened>`with ${sql.join([open, ...writes])} select fresh, idle from open`.execute(db)
  return rows[0]
}

/** D-09: marks a session as active; writes at most once a minute and never waits for another writer. */
export async function touchSession(db: Database, sessionId: string): Promise<void> {
  await sql`
    update sessions set last_activity_at = now() where id in (
      select id from sessions where id = ${sessionId} and last_activity_at < now() - interval '60 seconds'
      for no key update skip locked
    )`.execute(db)
}

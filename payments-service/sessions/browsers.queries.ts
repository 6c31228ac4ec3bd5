import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/**
 * `own`: all tokens of one browser: those given, and those they replaced or were replaced by (two tabs may get one
 * each, and the browser keeps the last).
 */
const ownOf = (hashes: readonly Buffer[]): RawBuilder<unknown> => sql`own as (
  select session_id, token_hash, replaces from session_access where token_hash = any(${hashes}::bytea[])
  union
  select a.session_id, a.token_hash, a.replaces from session_access a
  join own on a.session_id = own.session_id and (a.token_hash = own.replaces or a.replaces = own.token_hash)
)`

/** Revokes every token of a session except those of the browser that holds `hash`. */
export async function endOthers(db: Database, sessionId: string, hash: Buffer): Promise<void> {
  await sql`with recursive ${ownOf([hash])}
    update session_access set revoked_at = now()
    where session_id = ${sessionId} and revoked_at is null and token_hash not in (select token_hash from own)`.execute(
    db,
  )
}

/** Revokes the access to paid visits of a browser that holds `hashes`. Returns those of `hashes` that belong to one. */
export async function endPaid(db: Database, hashes: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ token_hash: Buffer }>`with recursive ${ownOf(hashes)},
    paid as (
      select own.token_hash from own join sessions s on s.id = own.session_id where s.payment_status != 'unpaid'
    ), ended as (
      update session_access set revoked_at = now()
      where revoked_at is null and token_hash in (select token_hash from paid)
    )
    select token_hash from paid where token_hash = any(${hashes}::bytea[])`.execute(db)
  return rows.map(({ token_hash }) => token_hash)
}

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

const OTHERS = (sessionId: string): RawBuilder<unknown> => sql`update session_access set revoked_at = now()
  where session_id = ${sessionId} and revoked_at is null and token_hash not in (select token_hash from own)`

/** Revokes every token of a session except those of the browser that holds `hash`. */
export async function endOthers(db: Database, sessionId: string, hash: Buffer): Promise<void> {
  await sql`with recursive ${ownOf([hash])} ${OTHERS(sessionId)}`.execute(db)
}

/**
 * The same in the statement that adds a token, which replaces another one of the browser.
 */
export async function replaceToken(
  db: Database,
  { sessionId, hash, replaces, days }: { sessionId: string; hash: Buffer; replaces: Buffer; days: number },
): Promise<void> {
  await sql`with recursive ${ownOf([replaces])}, fresh as (
      insert into session_access (token_hash, session_id, kind, replaces, expires_at)
      values (${hash}, ${sessionId}, 'browser', ${replaces}, now() + make_interval(days => ${days}))
    ) ${OTHERS(sessionId)}`.execute(db)
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

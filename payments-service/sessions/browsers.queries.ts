import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** Minutes that an old token still works once its successor was used: for requests in flight and other tabs. */
export const OVERLAP_MINUTES = 5

const LIVE = sql`revoked_at is null and expires_at > now()`

/**
 * `own`: all tokens of one browser: those given, and those still alive that they replaced or were replaced by (two tabs
 * may get one each, and the browser keeps the last).
 */
const ownOf = (hashes: readonly Buffer[]): RawBuilder<unknown> => sql`own as (
  select session_id, token_hash, replaces from session_access where token_hash = any(${hashes}::bytea[])
  union
  select a.session_id, a.token_hash, a.replaces from own, lateral (
    select * from session_access where token_hash = own.replaces and ${LIVE}
    union all
    select * from session_access where replaces = own.token_hash and ${LIVE}
  ) a where a.session_id = own.session_id
)`

/** A successor that nobody has used for so long never arrived. */
const OTHERS = (sessionId: string): RawBuilder<unknown> => sql`update session_access set revoked_at = now()
  where session_id = ${sessionId} and ${LIVE} and (token_hash not in (select token_hash from own)
    or (replaces is not null and last_used_at = created_at
      and created_at < now() - make_interval(mins => ${OVERLAP_MINUTES})))`

/** Revokes every token of a session except those of the browser that holds `hash`. */
export async function endOthers(db: Database, sessionId: string, hash: Buffer): Promise<void> {
  await sql`with recursive ${ownOf([hash])} ${OTHERS(sessionId)}`.execute(db)
}

/**
 * The same in the statement that adds a token, which replaces another one of the browser. Dead successors are deleted:
 * as many as a browser likes to ask for would have to be read each time.
 */
export async function replaceToken(
  db: Database,
  token: { sessionId: string; hash: Buffer; kind: string; replaces: Buffer; days: number },
): Promise<void> {
  const { sessionId, hash, kind, replaces, days } = token
  await sql`with recursive ${ownOf([replaces])}, fresh as (
      insert into session_access (token_hash, session_id, kind, replaces, expires_at)
      values (${hash}, ${sessionId}, ${kind}, ${replaces}, now() + make_interval(days => ${days}))
    ), gone as (
      delete from session_access where session_id = ${sessionId} and replaces is not null
        and (revoked_at is not null or expires_at <= now())
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

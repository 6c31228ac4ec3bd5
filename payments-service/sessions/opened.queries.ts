import type pg from 'pg'
import { prepared } from '../../db/prepared.ts'

/** One request of a browser: the token it showed for the session it names. */
export interface Presented {
  sessionId: string
  tokenHash: Buffer
}

/** False: this token does not open this session. `fresh`: it was never used before. */
export type Opened = false | { fresh: boolean }

/**
 * The requests whose token opens their session, n = place in the batch; $1 and $2 are `presented`. Looked up one by one
 * (`offset 0`): planned as a join while the tables were small, it read them whole when they had grown.
 */
export const OPEN = `open as materialized (
    select r.n, s.key, s.id, s.fresh, s.idle
    from unnest($1::bytea[], $2::uuid[]) with ordinality as r(token_hash, session_id, n)
    cross join lateral (
      select s.key, s.id, a.last_used_at = a.created_at as fresh, s.last_activity_at < now() - interval '60 seconds' as idle
      from session_access a join sessions s on s.id = a.session_id
      where a.token_hash = r.token_hash and a.session_id = r.session_id and a.revoked_at is null and a.expires_at > now()
      offset 0
    ) s
  )`

function presented(requests: readonly Presented[]): [tokens: string, sessions: string] {
  const tokens = requests.map(({ tokenHash }) => `"\\\\x${tokenHash.toString('hex')}"`)
  return [listOf(tokens), listOf(requests.map(({ sessionId }) => sessionId))]
}

/**
 * PostgreSQL's array of values that need no quotes (numbers, ids, times; null is NULL): pg looks at every character of
 * every element, which shows in a statement of hundreds.
 */
export function listOf(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

/**
 * Runs a statement that begins with OPEN and says, request by request, what was opened; what `parts` write is committed
 * with it.
 */
export async function writeOpened(
  pool: pg.Pool,
  requests: readonly Presented[],
  parts: readonly string[],
  values: readonly unknown[],
): Promise<Opened[]> {
  const text = `with ${[OPEN, ...parts].join(', ')} select n, fresh, idle from open`
  const rows = await prepared<{ n: string; fresh: boolean; idle: boolean }>(pool, text, [
    ...presented(requests),
    ...values,
  ])
  const opened: Opened[] = requests.map(() => false)
  for (const { n, fresh } of rows) opened[Number(n) - 1] = { fresh }
  const idle = rows.flatMap(({ n, idle }) => (idle ? [requests[Number(n) - 1]?.sessionId] : []))
  // what was asked for is stored: a session that is not marked now is marked by its next request
  if (idle.length > 0) await prepared(pool, TOUCH, [idle]).catch(() => undefined)
  return opened
}

/** D-09: a session that does something is active; at most one write a minute, and never waiting for another writer. */
const TOUCH = `update sessions set last_activity_at = now()
  where id in (
    select id from sessions where id = any ($1::uuid[]) and last_activity_at < now() - interval '60 seconds'
    for no key update skip locked
  )`

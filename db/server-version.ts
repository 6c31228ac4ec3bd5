import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** The major versions that the tests run on. The oldest is the first with `merge … returning`. */
const OLDEST = 17
const NEWEST = 18
/** The first with a `uuidv7()` of its own. */
const WITH_UUIDV7 = 18

/** Why a server of this `server_version_num` cannot be used; null when it can. */
export function refused(version: number): string | null {
  const major = Math.floor(version / 10_000)
  if (major < OLDEST) return `PostgreSQL ${major} is too old: this needs ${OLDEST} or ${NEWEST}`
  if (major > NEWEST) return `PostgreSQL ${major} is newer than this release knows: it needs ${OLDEST} or ${NEWEST}`
  return null
}

/** Throws when the server is of another version than those (D-11). */
export async function checkServer(db: Database): Promise<void> {
  const problem = refused(await versionOf(db))
  if (problem) throw new Error(problem)
}

async function versionOf(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Makes `uuidv7()` where the server has none: milliseconds, the fraction of one in 12 bits, and chance. After an
 * upgrade of the server its own one comes first.
 */
export async function provideUuidv7(db: Database): Promise<void> {
  if ((await versionOf(db)) >= WITH_UUIDV7 * 10_000) return
  await sql`
    create or replace function uuidv7() returns uuid language sql volatile parallel safe as $$
      select encode(
        overlay(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(micros / 1000) from 3) from 1 for 6)
          placing substring(int4send((28672 + micros % 1000 * 4096 / 1000)::int) from 3) from 7 for 2), 'hex')::uuid
      from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) as moment
    $$`.execute(db)
}

import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../db/connect.ts'
import { POOLED, throughPooler } from '../../db/pooler.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { scrub } from '../http/logging.ts'
import { fail, ok, type Said, warn } from './finding.ts'

/** Names a database for as long as its server runs. */
const WHICH = `select oid || ' since ' || pg_postmaster_start_time() as which from pg_database
  where datname = current_database()`

/** What is between us and PostgreSQL, and whether the two addresses are what they are taken for. */
export async function wayTo(
  db: Database,
  { databaseUrl, databaseUrlDirect }: Pick<Config, 'databaseUrl' | 'databaseUrlDirect'>,
): Promise<Said[]> {
  const pooled = await throughPooler(databaseUrl)
  if (databaseUrlDirect === null) return pooled ? [fail(POOLED)] : []
  if (await throughPooler(databaseUrlDirect))
    return [fail('DATABASE_URL_DIRECT leads through a pooler too: it has to name the server itself')]
  const { rows } = await sql<{ which: string; limit: string }>`
    select which, current_setting('statement_timeout') as limit from (${sql.raw(WHICH)}) as here`.execute(db)
  if (rows[0]?.which !== (await whichAt(databaseUrlDirect)))
    return [fail('DATABASE_URL and DATABASE_URL_DIRECT are two databases: migrations and backups miss the one in use')]
  if (!pooled) return [ok('no pooler is in between; DATABASE_URL_DIRECT may be left out')]
  return [
    ...(rows[0]?.limit === '0'
      ? [
          warn(
            'a statement outside of a transaction has no time limit through the pooler. Run, as the role of ' +
              "DATABASE_URL: alter role current_user set statement_timeout = '15s'",
          ),
        ]
      : []),
    ok('a pooler is in between; DATABASE_URL_DIRECT leads past it'),
  ]
}

/** Whether reports can be read from DATABASE_URL_READ; nothing where it is not set. */
export async function wayToReplica({ replica }: Pick<Deps, 'replica'>): Promise<Said[]> {
  if (!replica) return []
  try {
    const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(replica)
    if (rows[0]?.standby) return [ok('reports are read from a replica')]
    return [warn('DATABASE_URL_READ names no replica: reports are read from the primary')]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [warn(`DATABASE_URL_READ does not answer, reports are read from the primary: ${scrub(why)}`)]
  }
}

async function whichAt(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // its question fails and reports it; without a listener this process would end
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<{ which: string }>(WHICH)).rows[0]?.which
  } finally {
    await client.end().catch(() => undefined)
  }
}

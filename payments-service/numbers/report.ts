import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { refreshFunnel } from '../tracking/upkeep.ts'

/** Milliseconds that a report waits for its replica. */
const PATIENCE = 1_000

/**
 * Brings the sums up to date, by `refresh` where they may be a little older, and reads a report: from the replica where
 * it has all of that by now, else from the primary. What is shown is never older for it.
 */
export async function report<T>(
  deps: Pick<Deps, 'db' | 'replica' | 'log'>,
  read: (db: Database) => Promise<T>,
  refresh: () => Promise<unknown> = () => refreshFunnel(deps),
): Promise<T> {
  const { db, replica, log } = deps
  await refresh()
  if (!replica) return read(db)
  try {
    if (await hasCaughtUp(db, replica)) return await read(replica)
    log.warn('the replica for reports is behind: the primary is read')
  } catch (error) {
    log.warn({ err: error }, 'the replica for reports could not be read: the primary is')
  }
  return read(db)
}

async function hasCaughtUp(db: Database, replica: Database): Promise<boolean> {
  const { rows } = await sql<{ place: string }>`select pg_current_wal_flush_lsn()::text as place`.execute(db)
  for (const end = Date.now() + PATIENCE; ; await pause(50)) {
    // one that was promoted, or another server, is no replica of this one
    const { rows: there } = await sql<{ has: boolean | null }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${rows[0]?.place ?? ''}::pg_lsn as has`.execute(
      replica,
    )
    if (there[0]?.has) return true
    if (Date.now() > end) return false
  }
}

import { sql } from 'kysely'
import { WAL_SLOT } from '../../db/backup/wal.ts'
import type { Deps } from '../deps.ts'
import { ok, type Said, warn } from './finding.ts'

/** Hours: a backup a day, and half a day for one that failed. */
const OLD_AFTER = 36

const DROPPED =
  'the server has dropped log that was not received: what came after the last backup would be lost. ' +
  'Run: npm run backup -- … --follow, which begins anew (docs/runbooks/log-dropped.md)'

/** The last base backup, and whether the log of what came after it is received (docs/deploy.md). */
export async function backups({ db, config }: Deps): Promise<Said[]> {
  if (config.backupsByHost) return [ok("the database's host makes them")]
  if (config.embedded) return [ok('not asked of a trial: npm run backup makes one')]
  const { rows } = await sql<{ hours: number; same: boolean }>`
    select extract(epoch from now() - started_at)::float8 / 3600 as hours,
      timeline = (select timeline_id from pg_control_checkpoint()) as same
    from backups order by started_at desc limit 1`.execute(db)
  const [last] = rows
  if (!last)
    return [warn("there is none. Run: npm run backup, or set BACKUPS=host where the database's host makes them")]
  const { rows: slots } = await sql<{ active: boolean; lost: boolean }>`
    select active, wal_status = 'lost' as lost from pg_replication_slots where slot_name = ${WAL_SLOT}`.execute(db)
  return [
    ...(last.hours > OLD_AFTER
      ? [warn(`the last one is ${Math.round(last.hours)} hours old. Run: npm run backup`)]
      : []),
    ...(last.same ? [] : [warn('the database was restored, or a standby took over, since the last one: take another')]),
    ...(slots[0]?.lost ? [warn(DROPPED)] : []),
    ...(slots[0]?.active || slots[0]?.lost
      ? []
      : [warn('the log is not received: what came after the backup would be lost. Run: npm run backup -- … --follow')]),
    ok(`the last one is ${Math.round(last.hours)} hours old`),
  ]
}

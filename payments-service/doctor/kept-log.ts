import { sql } from 'kysely'
import { isForbidden, KEPT_LOG } from '../../db/kept-log.ts'
import type { Deps } from '../deps.ts'
import { ok, type Said, warn } from './finding.ts'

const MEGABYTE = 1_048_576

/** Replication slots that nothing reads: the server keeps its log for them until its disk is full. */
export async function keptLog({ db }: Pick<Deps, 'db'>): Promise<Said[]> {
  try {
    const { rows } = await sql<{ slot: string; since: string; bytes: number }>`
      select slot, bytes, to_char(inactive_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as since
      from ${KEPT_LOG} kept where not active order by bytes desc`.execute(db)
    return rows.map(({ slot, since, bytes }) =>
      warn(
        `nothing has read the replication slot ${slot} since ${since}: it keeps ${Math.ceil(bytes / MEGABYTE)} MB of ` +
          'log, and more until the disk is full. Start what reads it, or, if that is gone for good, run: ' +
          `select pg_drop_replication_slot('${slot}') (docs/runbooks/log-kept.md)`,
      ),
    )
  } catch (error) {
    if (!isForbidden(error)) throw error
    return [ok('our role may not see replication slots: whether one fills the disk is for the database’s host to say')]
  }
}

/**
 * The counters of the limits may be lost in a crash of the server; every payment waited for three flushes of them to
 * the disk, and all payments one after another for the flush of the counter that they share.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rate_limits set unlogged`.execute(db)
}

/** A backup looks every second who was erased of late (D-12), and read every erasure there ever was. */
import { type Kysely, sql } from 'kysely'

export const transaction = false

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index concurrently if exists erasures_erased_at').execute(db)
  await sql.raw('create index concurrently erasures_erased_at on erasures (erased_at)').execute(db)
}

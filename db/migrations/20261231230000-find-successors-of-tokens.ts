/** A new token of a visit looks for the other tokens of its browser, which replaced one another (D-01). */
import { type Kysely, sql } from 'kysely'

export const transaction = false

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index concurrently if exists session_access_replaces').execute(db)
  await sql
    .raw('create index concurrently session_access_replaces on session_access (replaces) where replaces is not null')
    .execute(db)
}

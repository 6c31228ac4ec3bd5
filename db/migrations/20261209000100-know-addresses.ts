/**
 * D-12: how many visits have one address. The index of addresses is partial, so its statistics do not count, and a
 * search by address expected one visit in 200 and read them all.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create statistics sessions_address on (lower(email)) from sessions').execute(db)
  await sql.raw('analyze sessions').execute(db)
}

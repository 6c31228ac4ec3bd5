/** What is old enough to be deleted is found by its time; rows lie in the order in which they came (D-13, H-03). */
import { type Kysely, sql } from 'kysely'

export const transaction = false

const INDEXES = {
  agreements_agreed_at: 'agreements using brin (agreed_at) with (autosummarize = on, pages_per_range = 16)',
  consents_recorded_at: 'consents using brin (recorded_at) with (autosummarize = on, pages_per_range = 16)',
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(INDEXES)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
    await sql.raw(`create index concurrently ${name} on ${on}`).execute(db)
  }
}

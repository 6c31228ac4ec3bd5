/** Clicks on ads that are old enough to be forgotten are found by their time (D-12, L-06). */
import { type Kysely, sql } from 'kysely'

export const transaction = false

const INDEXES = {
  session_metadata_updated_at:
    'session_metadata using brin (updated_at) with (autosummarize = on, pages_per_range = 16)',
  payments_created_at: 'payments using brin (created_at) with (autosummarize = on, pages_per_range = 16)',
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(INDEXES)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
    await sql.raw(`create index concurrently ${name} on ${on}`).execute(db)
  }
}

/** Cards that were refused while another one was to be saved are counted by their visit (P-02). */
import { type Kysely, sql } from 'kysely'

export const transaction = false

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index concurrently if exists webhook_events_setup_declines').execute(db)
  await sql
    .raw(
      `create index concurrently webhook_events_setup_declines
        on webhook_events ((payload #>> '{data,object,metadata,session_id}')) where type = 'setup_intent.setup_failed'`,
    )
    .execute(db)
}

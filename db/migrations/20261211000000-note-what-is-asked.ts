/** H-02: which charges a withdrawal was asked for. Null: of the release before, about all of its contract. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table money_back_requests add column intent_ids text[]').execute(db)
}

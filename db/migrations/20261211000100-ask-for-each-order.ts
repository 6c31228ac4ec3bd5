/** H-02: each order of a visit has its own days, so a withdrawal from a later one waits beside that from an earlier. */
import { type Kysely, sql } from 'kysely'

export const transaction = false

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'drop index concurrently if exists money_back_requests_one_an_order',
    `create unique index concurrently money_back_requests_one_an_order
      on money_back_requests (session_id, kind, contract, intent_ids) nulls not distinct
      where status in ('open', 'refunding', 'incomplete')`,
    'drop index concurrently if exists money_back_requests_one_a_contract',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

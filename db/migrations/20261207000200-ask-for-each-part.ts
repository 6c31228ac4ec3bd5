/** H-02: a withdrawal waits beside another request of its visit, for another contract or of another kind. */
import { type Kysely, sql } from 'kysely'

export const transaction = false

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'drop index concurrently if exists money_back_requests_one_a_contract',
    `create unique index concurrently money_back_requests_one_a_contract
      on money_back_requests (session_id, kind, contract) where status in ('open', 'refunding', 'incomplete')`,
    'drop index concurrently if exists money_back_requests_one_open',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

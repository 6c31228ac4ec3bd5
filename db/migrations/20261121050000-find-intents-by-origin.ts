/**
 * All declines of one address within the hour, however many others there are: found by where their intents were opened.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index payment_intents_origin on payment_intents (opened_from, created_at)
    where opened_from is not null`.execute(db)
}

/** N-03: in which trace a payment was opened, where traces are on: the work on Stripe's events of it is in the same. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table payment_intents add traceparent text`).execute(db)
}

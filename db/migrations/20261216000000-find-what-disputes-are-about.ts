/** D-12: a dispute names no customer and no visit: its events are found by its payment and its charge. */
import { type Kysely, sql } from 'kysely'

export const transaction = false

const INDEXES = {
  webhook_events_payment: `webhook_events ((payload #>> '{data,object,payment_intent}'))`,
  webhook_events_charge: `webhook_events ((payload #>> '{data,object,charge}'))`,
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(INDEXES)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
    await sql.raw(`create index concurrently ${name} on ${on}`).execute(db)
  }
}

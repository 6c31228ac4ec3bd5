import { type Kysely, sql } from 'kysely'

/** Mails that strangers can ask for are counted per address and day; what was asked for belongs to no session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index outbox_recipient on outbox (lower(payload -> 'mail' ->> 'to'), created_at) where kind = 'mail'
  `.execute(db)
}

/**
 * Against cards that are tried out: where an intent was opened from, and a short way to the latest declines. The
 * address of the net is not kept, only a keyed digest of it.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table payment_intents add column opened_from text;
    create index webhook_events_declines on webhook_events (received_at) where type = 'payment_intent.payment_failed';
  `,
    )
    .execute(db)
}

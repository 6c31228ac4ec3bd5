/** Events that cannot be read wait for an operator; one replica at a time asks Stripe for the events of all. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- set when no further try would read it; a hand or another release takes it out again
    alter table webhook_events add column dead_at timestamptz;
    create index webhook_events_dead on webhook_events (dead_at) where dead_at is not null;

    -- the replica whose turn it is, and until when; one that died is followed by another after that
    alter table bookmarks add column held_by uuid, add column held_until timestamptz;
  `,
    )
    .execute(db)
}

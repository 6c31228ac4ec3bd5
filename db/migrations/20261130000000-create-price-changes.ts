/** Prices of running subscriptions that change: planned, announced by mail, and only then charged (H-01). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table price_changes (
      id uuid primary key default uuidv7(),
      subscription_id uuid not null references subscriptions,
      old_cents integer not null check (old_cents > 0),
      new_cents integer not null check (new_cents > 0 and new_cents <> old_cents),
      -- Stripe's price
      price_id text not null,
      planned_at timestamptz not null default now(),
      -- the end of the period after which it is charged, as announced; null while it waits to be announced
      from_at timestamptz,
      done_at timestamptz,
      -- changed: at Stripe; left: its buyer is leaving; superseded: somebody changed the price otherwise
      outcome text check (outcome in ('changed', 'left', 'superseded')),
      check ((done_at is null) = (outcome is null))
    );
    create unique index price_changes_one_open on price_changes (subscription_id) where done_at is null;
    create index price_changes_subscription on price_changes (subscription_id);
  `,
    )
    .execute(db)
}

/** What the service looks at to see how the shop does, and what it has reported (N-03). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- the latest events, and by which way they came
    create index webhook_events_received on webhook_events (received_at desc);
    -- what was given up: few rows among all that were ever sent
    create index outbox_dead on outbox (dead_at) where dead_at is not null;

    -- What only one replica can see of itself, as of its last look.
    create table replicas (
      id uuid primary key,
      at timestamptz not null default now(),
      -- [{name, labels, value}]
      signs jsonb not null
    );

    -- The alerts that hold, and who was told. A row goes when everybody knows that it is over.
    create table alerts (
      rule text primary key,
      since timestamptz not null default now(),
      -- the channels that know of its beginning, and of its end
      told text[] not null default '{}',
      over_at timestamptz,
      told_over text[] not null default '{}'
    );
  `,
    )
    .execute(db)
}

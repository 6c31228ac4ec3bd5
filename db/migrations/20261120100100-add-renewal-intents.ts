/** Renewals are settled like every other payment, so their intents are known too; shared counters and bookmarks. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table payment_intents drop constraint payment_intents_purpose_check;
    alter table payment_intents add constraint payment_intents_purpose_check
      check (purpose ~ '^(first|reading|upsell:[a-z0-9_]+|renewal:in_[A-Za-z0-9_]+)$');

    -- rate-limiter-flexible's shape; every replica counts declined cards and payment attempts here
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire);

    -- how far a reader of somebody else's list has come (Stripe's events)
    create table bookmarks (
      name text primary key,
      at timestamptz not null
    );
  `,
    )
    .execute(db)
}

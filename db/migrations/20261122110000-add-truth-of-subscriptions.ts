/**
 * What Stripe will charge next, a cancellation that has still to be carried out, and what a
 * renewal paid for (A-05, H-04).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table subscriptions
      -- the next charge by itself, as Stripe plans it; null while nothing is charged
      add column next_charge_cents integer check (next_charge_cents >= 0),
      add column next_charge_at timestamptz,
      -- what a failed charge left open
      add column owed_cents integer check (owed_cents >= 0),
      add column collection_paused boolean not null default false,
      add column collection_resumes_at timestamptz,
      -- asked for by the buyer; done once Stripe charges nothing more
      add column cancel_requested_at timestamptz,
      add column cancel_done_at timestamptz,
      -- the address whose one subscription it is, in lower case; none before it is paid or once its buyer is leaving
      add column subscriber_email text,
      -- when a worker last tried to get on with it, so that no row is tried before all others again
      add column looked_at timestamptz;
    create index subscriptions_cancelling on subscriptions (looked_at)
      where cancel_requested_at is not null and cancel_done_at is null;
    update subscriptions x set subscriber_email = first.email from (
      select distinct on (lower(s.email)) l.id, lower(s.email) as email
      from subscriptions l join sessions s on s.id = l.session_id
      where l.status not in ('incomplete', 'canceled', 'incomplete_expired')
        and not l.cancel_at_period_end and l.cancel_at is null and s.email is not null
      order by lower(s.email), l.created_at
    ) first where first.id = x.id;
    create unique index subscriptions_one_an_address on subscriptions (subscriber_email)
      where status not in ('canceled', 'incomplete_expired');

    -- the period that a renewal paid for
    alter table payment_intents
      add column period_start timestamptz,
      add column period_end timestamptz;
  `,
    )
    .execute(db)
}

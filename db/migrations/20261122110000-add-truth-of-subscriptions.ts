/** What Stripe will charge next, a cancellation that has still to be carried out, and what a renewal paid for (A-05, H-04). */
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
      -- one live subscription an address: this one was the first to take the place
      add column address_taken_at timestamptz,
      -- when a worker last tried to get on with it, so that no row is tried before all others again
      add column looked_at timestamptz;
    create index subscriptions_cancelling on subscriptions (looked_at)
      where cancel_requested_at is not null and cancel_done_at is null;
    update subscriptions set address_taken_at = created_at
      where status not in ('creating', 'canceled', 'incomplete_expired');

    -- the period that a renewal paid for
    alter table payment_intents
      add column period_start timestamptz,
      add column period_end timestamptz;
  `,
    )
    .execute(db)
}

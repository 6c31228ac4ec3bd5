/**
 * What the queue works through (Stripe's events, outgoing jobs), the log of mails, and what replicas share (P-10,
 *
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- Webhooks and the poll of Stripe's events fill this one table (P-10).
    create table webhook_events (
      id text primary key,
      type text not null,
      -- the object the event is about, e.g. pi_…
      object_id text,
      api_version text,
      payload jsonb not null,
      source text not null default 'webhook' check (source in ('webhook', 'poll')),
      -- Stripe's own time of the event
      created timestamptz not null,
      received_at timestamptz not null default now(),
      -- set only when the work is done
      handled_at timestamptz,
      attempts integer not null default 0 check (attempts >= 0),
      next_attempt_at timestamptz not null default now(),
      last_error text,
      -- set when no further try would read it; a hand or another release takes it out again
      dead_at timestamptz
    );
    create index webhook_events_open on webhook_events (next_attempt_at) where handled_at is null;
    create index webhook_events_dead on webhook_events (dead_at) where dead_at is not null;
    create index webhook_events_declines on webhook_events (received_at) where type = 'payment_intent.payment_failed';
    create index webhook_events_object on webhook_events (object_id);

    -- Written in the transaction that makes the thing true, worked off afterwards: mails, conversions, refunds.
    create table outbox (
      id uuid primary key default uuidv7(),
      kind text not null,
      dedupe_key text not null unique,
      session_id uuid references sessions,
      payload jsonb not null default '{}',
      created_at timestamptz not null default now(),
      next_attempt_at timestamptz not null default now(),
      attempts integer not null default 0 check (attempts >= 0),
      last_error text,
      sent_at timestamptz,
      dead_at timestamptz
    );
    create index outbox_open on outbox (next_attempt_at) where sent_at is null and dead_at is null;
    create index outbox_session on outbox (session_id);
    -- mails that strangers can ask for are counted per address and day
    create index outbox_recipient on outbox (lower(payload -> 'mail' ->> 'to'), created_at)
      where payload -> 'mail' ->> 'to' is not null;

    create table mail_log (
      id uuid primary key default uuidv7(),
      outbox_id uuid references outbox on delete set null,
      session_id uuid references sessions,
      kind text not null,
      recipient text not null,
      subject text not null,
      message_id text not null,
      result text not null check (result in ('sent', 'failed')),
      detail text,
      created_at timestamptz not null default now()
    );
    create index mail_log_session on mail_log (session_id);
    create unique index mail_log_once on mail_log (message_id) where result = 'sent';

    -- rate-limiter-flexible's shape, counted in every replica. Unlogged: all payments would wait for the flush of the
    -- counter that they share; after a crash of the server the limits begin anew.
    create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire);

    -- how far a reader of somebody else's list has come, like that of Stripe's events
    create table bookmarks (
      name text primary key,
      at timestamptz not null,
      -- the replica whose turn it is, and until when; one that died is followed by another after that
      held_by uuid,
      held_until timestamptz
    );
  `,
    )
    .execute(db)
}

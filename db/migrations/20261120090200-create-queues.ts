/** What came in from Stripe and what still has to go out: the inbox, the outbox, the log of mails. */
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
      error text
    );
    create index webhook_events_open on webhook_events (next_attempt_at) where handled_at is null;
    create index webhook_events_object on webhook_events (object_id);

    -- Written in the transaction that makes the thing true, sent afterwards: mails, conversions, refunds of duplicates.
    create table outbox (
      id uuid primary key default uuidv7(),
      kind text not null,
      dedupe_key text not null unique,
      session_id uuid references sessions,
      payload jsonb not null default '{}',
      message_id text unique,
      created_at timestamptz not null default now(),
      next_attempt_at timestamptz not null default now(),
      attempts integer not null default 0 check (attempts >= 0),
      last_error text,
      sent_at timestamptz,
      dead_at timestamptz
    );
    create index outbox_open on outbox (next_attempt_at) where sent_at is null and dead_at is null;
    create index outbox_session on outbox (session_id);

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
  `,
    )
    .execute(db)
}

/**
 * After the purchase: what was listened to, requests for money back, codes that prove an address
 * (A-01, A-02, A-05, A-07, H-02).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- One row per account and day of the programme. Seconds are play time that the clock of the service confirms.
    create table listened_sessions (
      user_id text not null references auth_user on delete cascade,
      day smallint not null check (day between 1 and 42),
      played_seconds integer not null default 0 check (played_seconds >= 0),
      -- length of the audio as it was when it was heard
      length_seconds integer not null check (length_seconds > 0),
      first_played_at timestamptz not null default now(),
      last_report_at timestamptz not null default now(),
      -- set once, when enough of it was heard: counts for the money-back rule (A-07)
      counted_at timestamptz,
      primary key (user_id, day)
    );
    create index listened_sessions_counted on listened_sessions (user_id, counted_at) where counted_at is not null;

    -- Requests for money back: by the guarantee (A-07) or by the right to withdraw (H-02). An operator decides.
    create table money_back_requests (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      kind text not null check (kind in ('guarantee', 'withdrawal')),
      status text not null default 'open' check (status in ('open', 'refunding', 'refunded', 'declined')),
      -- what the rule gives back, in cents, when it was asked for
      amount_cents integer not null check (amount_cents >= 0),
      listened_sessions integer not null check (listened_sessions >= 0),
      first_paid_at timestamptz not null,
      requested_at timestamptz not null default now(),
      answer_by timestamptz not null,
      decided_at timestamptz,
      decided_by text,
      -- one sentence for the buyer, when declined
      decision_reason text check (length(decision_reason) <= 1000),
      refunded_cents integer check (refunded_cents >= 0),
      check ((status = 'open') = (decided_at is null)),
      check (status <> 'declined' or decision_reason is not null)
    );
    create unique index money_back_requests_one_open on money_back_requests (session_id)
      where status in ('open', 'refunding');
    create index money_back_requests_waiting on money_back_requests (requested_at) where status = 'open';

    -- Six digits sent to an address to prove it. Only an HMAC is kept; few tries, a short life.
    create table email_codes (
      id uuid primary key default uuidv7(),
      purpose text not null check (purpose in ('correct_email', 'join_purchases')),
      -- the session or the account it is for
      subject text not null,
      email text not null check (length(email) <= 320),
      code_hash bytea not null check (octet_length(code_hash) = 32),
      tries integer not null default 0 check (tries >= 0),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index email_codes_subject on email_codes (purpose, subject, id desc);
  `,
    )
    .execute(db)
}

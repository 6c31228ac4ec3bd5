/**
 * Accounts: better-auth's four tables under our names, the specified table users, codes that prove an address, and
 * listened sessions (A-01, A-02, A-05, A-07, D-10).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table auth_user (
      id text primary key,
      name text not null,
      email text not null unique,
      email_verified boolean not null default false,
      image text,
      -- sign-up metadata (A-02)
      quiz_session_id uuid references sessions,
      created_from text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table auth_session (
      id text primary key,
      expires_at timestamptz not null,
      token text not null unique,
      ip_address text,
      user_agent text,
      user_id text not null references auth_user on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index auth_session_user on auth_session (user_id);

    create table auth_account (
      id text primary key,
      account_id text not null,
      provider_id text not null,
      user_id text not null references auth_user on delete cascade,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz,
      refresh_token_expires_at timestamptz,
      scope text,
      password text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (provider_id, account_id)
    );
    create index auth_account_user on auth_account (user_id);

    create table auth_verification (
      id text primary key,
      identifier text not null,
      value text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index auth_verification_identifier on auth_verification (identifier);

    create table users (
      id uuid primary key default gen_random_uuid(),
      email text not null check (length(email) <= 320),
      session_id uuid references sessions,
      auth_user_id text unique references auth_user on delete set null,
      subscription_status text not null default 'active'
        check (subscription_status in ('active', 'trialing', 'past_due', 'canceled', 'none')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index users_email on users (lower(email) text_pattern_ops);
    create index users_session on users (session_id);
    create trigger users_touch before update on users for each row execute function touch_updated_at();

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
  `,
    )
    .execute(db)
}

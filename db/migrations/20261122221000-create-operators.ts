/**
 * Operators sign in with separate tables (N-02): what buyers get (a session, a mailed link, a new password) is
 * worthless here.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table operator_user (
      id text primary key,
      name text not null,
      email text not null unique,
      email_verified boolean not null default false,
      image text,
      two_factor_enabled boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table operator_session (
      id text primary key,
      expires_at timestamptz not null,
      token text not null unique,
      ip_address text,
      user_agent text,
      user_id text not null references operator_user on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index operator_session_user on operator_session (user_id);

    create table operator_account (
      id text primary key,
      account_id text not null,
      provider_id text not null,
      user_id text not null references operator_user on delete cascade,
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
    create index operator_account_user on operator_account (user_id);

    create table operator_verification (
      id text primary key,
      identifier text not null,
      value text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index operator_verification_identifier on operator_verification (identifier);

    -- The secret of an authenticator app and ten recovery codes, both encrypted.
    create table operator_second_factor (
      id text primary key,
      user_id text not null unique references operator_user on delete cascade,
      secret text not null,
      backup_codes text not null,
      -- false until a first code has shown that the app has the secret
      verified boolean not null default false,
      failed_verification_count integer not null default 0,
      locked_until timestamptz,
      -- half minutes since 1970 (RFC 6238): a code counts once, only a later one is taken
      last_time_step integer
    );

    -- Public keys of their devices, in place of the password and the code.
    create table operator_passkey (
      id text primary key,
      user_id text not null references operator_user on delete cascade,
      name text,
      credential_id text not null unique,
      public_key text not null,
      -- up to 2^32 - 1, and a number in JavaScript
      counter double precision not null,
      device_type text not null,
      backed_up boolean not null,
      transports text,
      aaguid text,
      created_at timestamptz not null default now()
    );
    create index operator_passkey_user on operator_passkey (user_id);

    -- What operators looked at and did: ids alone, so that erasing a visitor leaves nothing of a person here (D-12).
    -- Appended; rows end by age, as events do.
    create table operator_trail (
      id uuid primary key default uuidv7(),
      at timestamptz not null default now(),
      operator_id text not null references operator_user,
      -- method and template of the address, or what became of a sign-in
      action text not null check (length(action) between 1 and 100),
      -- id of a visit, a mail, a refund, an event of Stripe's
      subject text check (subject ~ '^[A-Za-z0-9_-]{1,64}$')
    );
    create index operator_trail_subject on operator_trail (subject, id desc) where subject is not null;

    create function keep_operator_trail() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and old.at < now() - interval '1 month' then return old; end if;
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger operator_trail_append_only before update or delete on operator_trail
      for each row execute function keep_operator_trail();
  `,
    )
    .execute(db)
}

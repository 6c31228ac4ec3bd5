/**
 * Operators sign in on tables of their own (N-02): what buyers are given (a session, a link by mail, a new
 * password) means nothing here. Nobody is carried over, because a password of these accounts may have been
 * chosen through the buyers' sign-in: `npm run operator:create` makes each operator anew. `operators` stays for
 * replicas of the version before.
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
  `,
    )
    .execute(db)
}

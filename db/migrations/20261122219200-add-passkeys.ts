/** Operators' passkeys (N-02): public keys of their devices, in place of the password and the code. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
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
  `,
    )
    .execute(db)
}

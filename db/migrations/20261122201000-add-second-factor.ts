/** Operators' second factor (N-02): the secret of an authenticator app and ten recovery codes, both encrypted. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table operator_user add column two_factor_enabled boolean not null default false;

    create table operator_second_factor (
      id text primary key,
      user_id text not null unique references operator_user on delete cascade,
      secret text not null,
      backup_codes text not null,
      -- false until a first code has shown that the app has the secret
      verified boolean not null default false,
      failed_verification_count integer not null default 0,
      locked_until timestamptz
    );
  `,
    )
    .execute(db)
}

/** An operator's code of an authenticator app counts once (N-02): the half minute of the last one that was taken. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- half minutes since 1970 (RFC 6238): only a later one is taken; the row is unique for the operator
    alter table operator_second_factor add column last_time_step integer;
  `,
    )
    .execute(db)
}

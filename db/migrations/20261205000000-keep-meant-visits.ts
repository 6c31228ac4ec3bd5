/** H-04: a statement of /exit ends what its address had bought when it was received, also if corrected since. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- visits that had the address when the statement was received, and another one before it was carried out
    alter table exit_requests add meant_session_ids uuid[] not null default '{}';

    create function keep_meant_visit() returns trigger language plpgsql as $$
    begin
      update exit_requests set meant_session_ids = meant_session_ids || new.id
        where lower(email) = lower(old.email) and session_ids = '{}' and carried_out_at is null
          and taken_back_at is null;
      return null;
    end $$;

    create trigger sessions_keep_meant after update of email on sessions for each row
      when (lower(old.email) <> lower(new.email)) execute function keep_meant_visit();
  `,
    )
    .execute(db)
}

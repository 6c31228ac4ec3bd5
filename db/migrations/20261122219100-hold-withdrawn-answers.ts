/** A withdrawn health consent takes the answers with it (D-13), those that are under way too. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- Writing an answer and withdrawing the consent take turns, visit by visit: an advisory lock, because one of the
    -- visit's row would write to the log with every answer. The choice is read after the wait, when it is committed.
    create function refuse_withdrawn_answer() returns trigger language plpgsql as $$
    declare
      choice record;
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('health ' || new.session_id, 0));
      select granted, recorded_at into choice from consents
        where session_id = new.session_id and kind = 'health' order by id desc limit 1;
      -- given before the withdrawal; clocks of two machines differ by less than this
      if found and not choice.granted and new.updated_at <= choice.recorded_at + interval '10 seconds' then
        return null;
      end if;
      return new;
    end $$;
    create trigger quiz_answers_refuse_withdrawn before insert or update on quiz_answers
      for each row execute function refuse_withdrawn_answer();
  `,
    )
    .execute(db)
}

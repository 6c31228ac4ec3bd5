/**
 * D-13: a consent that an operator took back stays so for the visit's browser as well, which holds its yes as told and
 * sends on. A visitor's own refusal needs no more than its moment: that browser sends nothing until the next yes.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create or replace function refuse_withdrawn_answer() returns trigger language plpgsql as $$
    declare
      choice record;
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('health ' || new.session_id, 0));
      select granted, recorded_at into choice from consents
        where session_id = new.session_id and kind = 'health' order by id desc limit 1;
      -- given before the withdrawal (clocks of two machines differ by less than this), or since an operator's no
      if found and not choice.granted and (new.updated_at <= choice.recorded_at + interval '10 seconds' or exists (
        select from consents no where no.session_id = new.session_id and no.kind = 'health' and no.page = 'operator'
          and not exists (select from consents yes where yes.session_id = new.session_id and yes.kind = 'health'
            and yes.granted and yes.id > no.id))) then
        return null;
      end if;
      return new;
    end $$;
  `,
    )
    .execute(db)
}

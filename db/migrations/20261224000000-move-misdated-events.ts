/**
 * D-08, D-11: what a clock that ran ahead has dated lies in the default partition, and its month could not be made
 * beside it: neither could all others, and `npm run migrate` failed. It moves into its month.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create or replace function ensure_event_partitions(p_from date, p_months integer) returns integer
    language plpgsql as $$
    declare
      t text;
      m date;
      part text;
      first text;
      after text;
      made integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
      foreach t in array array['page_views', 'activities', 'session_errors'] loop
        for i in 0 .. p_months - 1 loop
          m := date_trunc('month', p_from)::date + make_interval(months => i);
          part := t || to_char(m, '_YYYY_MM');
          if to_regclass(format('%I', part)) is null then
            select case when t = 'session_errors' then uuid7_floor(b)::text else event_id_floor(b)::text end,
              case when t = 'session_errors' then uuid7_floor(e)::text else event_id_floor(e)::text end
              into first, after
              from (select m::timestamp at time zone 'UTC' as b,
                (m + interval '1 month')::timestamp at time zone 'UTC' as e) ends;
            execute format('create table %I (like %I including defaults including constraints)', part, t);
            execute format('with gone as (delete from %I where id >= %L and id < %L returning *)
              insert into %I select * from gone', t || '_rest', first, after, part);
            execute format('alter table %I attach partition %I for values from (%L) to (%L)', t, part, first, after);
            made := made + 1;
          end if;
        end loop;
      end loop;
      return made;
    end $$;
  `,
    )
    .execute(db)
}

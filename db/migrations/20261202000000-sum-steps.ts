/**
 * The page of steps reads sums of what it shows (docs/metrics.md): of everybody, or of one source, language or device.
 * step_counts has each combination of them with each time spent, five times the rows at a million visits. The sums
 * follow it, no matter which program writes it.
 */
import { type Kysely, sql } from 'kysely'

/** Adds rows like those of step_counts, with a sign, to the sums. */
const add = (signed: string): string => `
  insert into step_sums as s (day, dimension, value, revision, place, step_key, outcome, seconds, visitors)
  select day, dimension, value, revision, place, step_key, told, spent, sum(sign * visitors)
  from (${signed}) c
    cross join lateral (values ('', ''), ('source', source), ('language', language), ('device', device))
    d (dimension, value)
    cross join lateral (values (outcome, null::smallint), (null::step_outcome, seconds)) m (told, spent)
  -- tests are shown to those alone who ask for them
  where source <> 'test' or dimension = 'source'
  group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(sign * visitors) <> 0
  order by 1, 2, 3, 4, 5, 6, 7, 8
  on conflict (dimension, value, day, revision, place, step_key, outcome, seconds)
    do update set visitors = s.visitors + excluded.visitors;`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- Either how many visitors of a step came to an outcome, or how many stayed that long. dimension '' is everybody
    -- but tests; else its column of step_counts has this value.
    create table step_sums (
      day date not null,
      dimension text not null,
      value text not null,
      revision text not null,
      place smallint not null,
      step_key text not null,
      outcome step_outcome,
      seconds smallint,
      visitors integer not null,
      unique nulls not distinct (dimension, value, day, revision, place, step_key, outcome, seconds),
      check ((outcome is null) <> (seconds is null))
    );
    create index step_sums_entered on step_sums (day) where place in (0, 1) and outcome is not null;
    create index step_sums_empty on step_sums (day) where visitors = 0;

    create function keep_step_sums() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        ${add('select 1 as sign, * from added')}
      elsif tg_op = 'UPDATE' then
        ${add('select 1 as sign, * from added union all select -1, * from gone')}
      else
        ${add('select -1 as sign, * from gone')}
        delete from step_sums where visitors = 0;
      end if;
      return null;
    end $$;

    -- each holds off writers until the end, so nothing is counted twice or missed by what follows
    create trigger step_counts_added after insert on step_counts
      referencing new table as added for each statement execute function keep_step_sums();
    create trigger step_counts_changed after update on step_counts
      referencing old table as gone new table as added for each statement execute function keep_step_sums();
    create trigger step_counts_dropped after delete on step_counts
      referencing old table as gone for each statement execute function keep_step_sums();
    ${add('select 1 as sign, * from step_counts')}
  `,
    )
    .execute(db)
}

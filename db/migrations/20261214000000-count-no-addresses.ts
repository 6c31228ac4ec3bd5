/**
 * An address that a browser sent as an answer was counted like one (D-09), and sums outlive an erasure (D-12). What
 * names a person is not counted, and what was is taken out.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- Follows refresh_steps, which says of whom steps were seen.
    create or replace function count_answers() returns void language plpgsql as $$
    declare
      since timestamptz;
      until timestamptz := clock_timestamp() - interval '30 minutes';
    begin
      perform pg_advisory_xact_lock(hashtext('refresh_steps'));
      select at - interval '90 seconds' into since from bookmarks where name = 'answers';
      with quiet as materialized (
        select s.key from sessions s where s.updated_at > since and s.updated_at <= until
      ), fresh as (
        insert into counted_visits (session_key, day)
        select p.session_key, p.day from quiet q join step_places p on p.session_key = q.key
        on conflict do nothing returning session_key
      ), visits as (
        select s.id, p.day, coalesce(p.revisions[1], '') as revision, p.source, p.language, p.device
        from fresh f join step_places p on p.session_key = f.session_key join sessions s on s.key = f.session_key
      ), answered as (
        select v.*, a.question_id as question, a.answer from visits v join quiz_answers a on a.session_id = v.id
        -- who was asked agreed to a plan made of them, and to no count
        where not exists (select from consents c where c.session_id = v.id and c.kind = 'health')
          -- results and the chosen price lie there too
          and a.question_id ~ '^[A-Za-z][A-Za-z0-9]{0,39}$'
          and a.question_id not in ('eyeStrainIndex', 'visualAge', 'recoveryPosition', 'selectedPrice')
          -- nor what says who somebody is: the sums outlive an erasure
          and a.question_id not in ('email', 'birthDate') and position('@' in a.answer) = 0
      ), given as (
        select day, revision, question, null as value, source, language, device from answered
        union all
        -- several answers are joined by a comma alone
        select day, revision, question, one.value, source, language, device
        from answered a cross join lateral (
          select distinct left(value, 80) as value from regexp_split_to_table(left(a.answer, 1000), ',(?! )') as value
        ) one
      )
      insert into answer_counts as c
      select day, revision, question, value, source, language, device, count(*) from given
      group by 1, 2, 3, 4, 5, 6, 7
      on conflict (day, revision, question, value, source, language, device)
        do update set visitors = c.visitors + excluded.visitors;
      delete from counted_visits where day < (now() at time zone 'UTC')::date - 28;
      update bookmarks set at = greatest(at, until) where name = 'answers';
    end $$;

    -- At once: nobody who buys waits for these rows, only the count does, which is kept out meanwhile.
    do $$ begin
      perform pg_advisory_xact_lock(hashtext('refresh_steps'));
      delete from answer_counts where question in ('email', 'birthDate') or position('@' in value) > 0;
    end $$;
  `,
    )
    .execute(db)
}

/**
 * D-09: whoever saw the checkout, the offer or the add-ons has left no step of the quiz. A visit counted as having left
 * the last one until Order was pressed, while the page figures had it at the checkout. Visits that are counted already
 * follow when they change.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create or replace function refresh_steps() returns void language plpgsql as $$
    declare
      since timestamptz;
      began timestamptz;
      started timestamptz := clock_timestamp();
    begin
      perform pg_advisory_xact_lock(hashtext('refresh_steps'));
      -- a visit is marked as active once a minute, and what it writes until then has to be seen too
      select at - interval '90 seconds' into since from bookmarks where name = 'steps';
      select greatest(at, now() - interval '28 days') into began from bookmarks where name = 'steps began';
      with changed as materialized (
        select s.key from sessions s where s.updated_at > since
        union
        select p.session_key from session_progress p where p.updated_at > since
      ), counted as materialized (
        -- what was erased stays in the sums
        select s.* from changed c cross join lateral (
          select k.key, k.id from sessions k where k.key = c.key and k.created_at >= began
            and not exists (select from erasures e where e.session_id = k.id)
        ) s
      ), seen as materialized (
        select c.key, c.id, steps.* from counted c cross join lateral (
          select array_agg(place order by place) filter (where place is not null) as places,
            array_agg(seconds order by place) filter (where place is not null) as seconds,
            array_agg(step_key order by place) filter (where place is not null) as keys,
            array_agg(revision order by place) filter (where place is not null) as revisions,
            bool_or(place is null) as beyond
          from (
            select quiz_place(v.step) as place, step_seconds(sum(coalesce(v.seconds, 0))) as seconds,
              coalesce((array_agg(v.step_key order by v.id))[1], '') as step_key,
              coalesce((array_agg(v.revision order by v.id))[1], '') as revision
            from page_views v where v.session_key = c.key and v.id >= event_id_floor(began - interval '8 days')
              -- the pages after the quiz have no place in it
              and (quiz_place(v.step) is not null or v.step is null and funnel_page(v.url) > 'landing')
            group by 1
          ) each_step
        ) steps where steps.places is not null
      ), now_at as materialized (
        select n.key as session_key, f.day, f.source,
          coalesce(substring(lower(m.language) from '^([a-z]{2,3})(?:[-_]|$)'), 'other') as language,
          case when m.device_type in ('mobile', 'tablet', 'desktop') then m.device_type else 'other' end as device,
          f.stage >= 'paid' as paid,
          case when f.stage < 'checkout' and not n.beyond then n.places[cardinality(n.places)] end as left_at,
          n.places, n.seconds, n.keys, n.revisions
        from seen n cross join lateral (select * from funnel_places p where p.session_key = n.key) f
        left join lateral (select * from session_metadata d where d.session_id = n.id) m on true
      ), before as materialized (
        select f.* from counted c cross join lateral (select * from step_places p where p.session_key = c.key) f
      ), placed as (
        insert into step_places as p
        select session_key, day, source, language, device, paid, left_at, places, seconds, keys, revisions from now_at
        on conflict (session_key) do update set source = excluded.source, language = excluded.language,
          device = excluded.device, paid = excluded.paid, left_at = excluded.left_at, places = excluded.places,
          seconds = excluded.seconds, keys = excluded.keys, revisions = excluded.revisions
        where (p.source, p.language, p.device, p.paid, p.left_at, p.places, p.seconds, p.keys, p.revisions)
          is distinct from (excluded.source, excluded.language, excluded.device, excluded.paid, excluded.left_at,
          excluded.places, excluded.seconds, excluded.keys, excluded.revisions)
      ), found_out as (
        delete from step_places p using before b where p.session_key = b.session_key
          and not exists (select from now_at n where n.session_key = b.session_key)
      ), revisions as (
        insert into quiz_revisions (revision) select distinct unnest(revisions) from now_at on conflict do nothing
      )
      insert into step_counts as c
      select day, revision, place, step_key, source, language, device,
        (case when paid then 'paid' when place = left_at then 'left' else 'went_on' end)::step_outcome, spent, sum(n)
      from (select 1 as n, * from now_at union all select -1, * from before) moved,
        unnest(places, seconds, keys, revisions) as step (place, spent, step_key, revision)
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(n) <> 0
      on conflict (day, revision, place, step_key, source, language, device, outcome, seconds)
        do update set visitors = c.visitors + excluded.visitors;
      delete from step_counts where visitors = 0;
      delete from step_places where day < (now() at time zone 'UTC')::date - 28;
      insert into bookmarks (name, at) values ('steps', started)
      on conflict (name) do update set at = greatest(bookmarks.at, excluded.at);
    end $$;
  `,
    )
    .execute(db)
}

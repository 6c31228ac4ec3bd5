/**
 * Numbers of each step of the quiz, split by the published revision that its page showed (docs/metrics.md, D-09). Kept
 * up like the funnel's: a visit that changed is taken out of where it was counted and added where it is now.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- Of a step of the quiz: the revision of the document its page was built from, and the step's key there.
    alter table page_views add column revision text, add column step_key text;

    -- 0 Welcome, 1..n; null for what is no place in the quiz
    create function quiz_place(p_step text) returns smallint language sql immutable as $$
      select case when p_step = 'Welcome' then 0 when p_step ~ '^[0-9]{1,2}$' then p_step::smallint end
    $$;
    -- Seconds as they are counted: to the second, from 30 on by fives, from two minutes on by halves, ten at most.
    create function step_seconds(p_seconds bigint) returns smallint language sql immutable as $$
      select (case when p_seconds < 30 then p_seconds when p_seconds < 120 then p_seconds - p_seconds % 5
        when p_seconds < 600 then p_seconds - p_seconds % 30 else 600 end)::smallint
    $$;

    -- What a visit was last counted as, for as long as it can change: 28 days.
    create table step_places (
      session_key bigint primary key references sessions (key) on delete cascade,
      day date not null,
      source text not null,
      language text not null,
      device text not null,
      paid boolean not null,
      -- the last step, where nothing came after it
      left_at smallint,
      -- one element a step
      places smallint[] not null,
      seconds smallint[] not null,
      keys text[] not null,
      revisions text[] not null
    );
    create index step_places_day on step_places (day);

    create type step_outcome as enum ('went_on', 'left', 'paid');
    -- How many visits of a day saw a step of a revision, for how long, and what became of them. '' where a page did not
    -- say revision or key.
    create table step_counts (
      day date not null,
      revision text not null,
      place smallint not null,
      step_key text not null,
      source text not null,
      language text not null,
      device text not null,
      outcome step_outcome not null,
      seconds smallint not null,
      visitors integer not null,
      primary key (day, revision, place, step_key, source, language, device, outcome, seconds)
    );
    create index step_counts_empty on step_counts (day) where visitors = 0;

    -- The order of the revisions: when each was first counted.
    create table quiz_revisions (
      revision text primary key,
      first_seen timestamptz not null default now()
    );

    -- From now on: of earlier visits only those would be counted that come back.
    insert into bookmarks (name, at) values ('steps', now()), ('steps began', now());

    -- Follows refresh_funnel, which says day, source and stage of a visit, and leaves bots out.
    create function refresh_steps() returns void language plpgsql as $$
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
          select array_agg(place order by place) as places, array_agg(seconds order by place) as seconds,
            array_agg(step_key order by place) as keys, array_agg(revision order by place) as revisions
          from (
            select quiz_place(v.step) as place, step_seconds(sum(coalesce(v.seconds, 0))) as seconds,
              coalesce((array_agg(v.step_key order by v.id))[1], '') as step_key,
              coalesce((array_agg(v.revision order by v.id))[1], '') as revision
            from page_views v where v.session_key = c.key and v.id >= event_id_floor(began - interval '8 days')
              and quiz_place(v.step) is not null
            group by 1
          ) each_step
        ) steps where steps.places is not null
      ), now_at as materialized (
        select n.key as session_key, f.day, f.source,
          coalesce(substring(lower(m.language) from '^([a-z]{2,3})(?:[-_]|$)'), 'other') as language,
          case when m.device_type in ('mobile', 'tablet', 'desktop') then m.device_type else 'other' end as device,
          f.stage >= 'paid' as paid,
          case when f.stage < 'checkout' then n.places[cardinality(n.places)] end as left_at,
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

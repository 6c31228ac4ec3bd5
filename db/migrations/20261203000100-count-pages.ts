/**
 * Numbers of the pages before and after the quiz, split by the published revision that each showed (docs/metrics.md,
 * D-09). Kept up like those of the steps: a visit that changed is taken out of where it was counted and added where it
 * is now.
 */
import { type Kysely, sql } from 'kysely'

/** What became of a visit at a page: it went on where it saw a later page, or did what the page is for. */
const OUTCOME = `
  (page < pages[cardinality(pages)] or stage >= case page
    when 'landing' then 'welcome' when 'upsell' then 'add-ons' else 'paid' end::funnel_stage) as went_on,
  case page when 'upsell' then bought else stage >= 'paid' end as paid`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- in the order in which visitors meet them
    create type funnel_page as enum ('landing', 'checkout', 'offer', 'upsell');
    -- null for what is none of them, or a step of the quiz
    create function funnel_page(p_url text) returns funnel_page language sql immutable as $$
      select case rtrim(p_url, '/') when '' then 'landing' when '/checkout/:id' then 'checkout'
        when '/special-offer-intro/:id' then 'offer' when '/special-offer-details/:id' then 'offer'
        when '/multi-upsell/:id' then 'upsell' end::funnel_page
    $$;

    -- What a visit was last counted as, for as long as it can change: 28 days.
    create table page_places (
      session_key bigint primary key references sessions (key) on delete cascade,
      day date not null,
      source text not null,
      language text not null,
      device text not null,
      stage funnel_stage not null,
      -- an add-on
      bought boolean not null,
      -- one element a page, in their order
      pages funnel_page[] not null,
      revisions text[] not null
    );
    create index page_places_day on page_places (day);

    -- How many visits of a day saw a page of a revision, and what became of them. '' where a page did not say it.
    create table page_counts (
      day date not null,
      revision text not null,
      page funnel_page not null,
      source text not null,
      language text not null,
      device text not null,
      went_on boolean not null,
      -- of the add-ons: bought one
      paid boolean not null,
      visitors integer not null,
      primary key (day, revision, page, source, language, device, went_on, paid)
    );
    create index page_counts_empty on page_counts (day) where visitors = 0;

    -- From now on.
    insert into bookmarks (name, at) values ('pages', now()), ('pages began', now());

    -- Follows refresh_funnel, which says day, source and stage of a visit, and leaves bots out.
    create function count_pages() returns void language plpgsql as $$
    declare
      since timestamptz;
      began timestamptz;
      started timestamptz := clock_timestamp();
    begin
      perform pg_advisory_xact_lock(hashtext('count_pages'));
      -- a visit is marked as active once a minute, and what it writes until then has to be seen too
      select at - interval '90 seconds' into since from bookmarks where name = 'pages';
      select greatest(at, now() - interval '28 days') into began from bookmarks where name = 'pages began';
      with changed as materialized (
        select s.key from sessions s where s.updated_at > since
        union
        select p.session_key from session_progress p where p.updated_at > since
        union
        select s.key from payments p join sessions s on s.id = p.session_id where p.updated_at > since
        union
        select s.key from users u join sessions s on s.id = u.session_id where u.updated_at > since
      ), counted as materialized (
        -- what was erased stays in the sums
        select s.* from changed c cross join lateral (
          select k.key, k.id from sessions k where k.key = c.key and k.created_at >= began
            and not exists (select from erasures e where e.session_id = k.id)
        ) s
      ), seen as materialized (
        select c.key, c.id, seen.* from counted c cross join lateral (
          select array_agg(page order by page) as pages, array_agg(revision order by page) as revisions
          from (
            select funnel_page(v.url) as page, coalesce((array_agg(v.revision order by v.id))[1], '') as revision
            from page_views v where v.session_key = c.key and v.id >= event_id_floor(began - interval '8 days')
              and v.step is null and funnel_page(v.url) is not null
            group by 1
          ) each_page
        ) seen where seen.pages is not null
      ), now_at as materialized (
        select n.key as session_key, f.day, f.source,
          coalesce(substring(lower(m.language) from '^([a-z]{2,3})(?:[-_]|$)'), 'other') as language,
          case when m.device_type in ('mobile', 'tablet', 'desktop') then m.device_type else 'other' end as device,
          f.stage, exists (select from payments y where y.session_id = n.id and y.purpose like 'upsell:%'
            and y.settled_at is not null) as bought, n.pages, n.revisions
        from seen n cross join lateral (select * from funnel_places p where p.session_key = n.key) f
        left join lateral (select * from session_metadata d where d.session_id = n.id) m on true
      ), before as materialized (
        select f.* from counted c cross join lateral (select * from page_places p where p.session_key = c.key) f
      ), placed as (
        insert into page_places as p
        select session_key, day, source, language, device, stage, bought, pages, revisions from now_at
        on conflict (session_key) do update set source = excluded.source, language = excluded.language,
          device = excluded.device, stage = excluded.stage, bought = excluded.bought, pages = excluded.pages,
          revisions = excluded.revisions
        where (p.source, p.language, p.device, p.stage, p.bought, p.pages, p.revisions) is distinct from
          (excluded.source, excluded.language, excluded.device, excluded.stage, excluded.bought, excluded.pages,
          excluded.revisions)
      ), found_out as (
        delete from page_places p using before b where p.session_key = b.session_key
          and not exists (select from now_at n where n.session_key = b.session_key)
      ), revisions as (
        insert into quiz_revisions (revision) select distinct unnest(revisions) from now_at on conflict do nothing
      )
      insert into page_counts as c
      select day, revision, page, source, language, device, went_on, paid, sum(n)
      from (
        select n, day, source, language, device, page, revision, ${OUTCOME}
        from (select 1 as n, * from now_at union all select -1, * from before) moved,
          unnest(pages, revisions) as one (page, revision)
      ) outcomes
      group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(n) <> 0
      on conflict (day, revision, page, source, language, device, went_on, paid)
        do update set visitors = c.visitors + excluded.visitors;
      delete from page_counts where visitors = 0;
      delete from page_places where day < (now() at time zone 'UTC')::date - 28;
      insert into bookmarks (name, at) values ('pages', started)
      on conflict (name) do update set at = greatest(bookmarks.at, excluded.at);
    end $$;
  `,
    )
    .execute(db)
}

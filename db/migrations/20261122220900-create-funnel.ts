/** The funnel's counts, updated from changes and never recounted (D-09). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- how far a visit came; 'quiz' goes with the number of the furthest step
    create type funnel_stage as enum ('visit', 'welcome', 'quiz', 'checkout', 'paid', 'add-ons', 'account');

    -- Where each visit was when it was last counted: a change takes it from there and adds it elsewhere.
    create table funnel_places (
      session_key bigint primary key references sessions (key) on delete cascade,
      day date not null,
      source text not null,
      -- 0: none chosen
      price_cents integer not null,
      stage funnel_stage not null,
      -- the furthest quiz step, also of a visit that went on from there
      step smallint not null,
      revenue_cents bigint not null
    );

    -- How many visits of a day, source and price came so far and no further; what is erased stays counted.
    create table funnel_counts (
      day date not null,
      source text not null,
      price_cents integer not null,
      stage funnel_stage not null,
      step smallint not null,
      sessions integer not null,
      revenue_cents bigint not null,
      primary key (day, source, price_cents, stage, step)
    );

    -- Moves every visit that changed since the last time. Costs by what changed, however many visits there are.
    create function refresh_funnel() returns void language plpgsql as $$
    declare
      since timestamptz;
      started timestamptz := clock_timestamp();
    begin
      perform pg_advisory_xact_lock(hashtext('refresh_funnel'));
      -- what was written earlier and committed later
      select at - interval '20 seconds' into since from bookmarks where name = 'funnel';
      since := coalesce(since, '-infinity');
      with changed as materialized (
        select s.key from sessions s where s.updated_at > since
        union
        select p.session_key from session_progress p where p.updated_at > since
        union
        select s.key from payments p join sessions s on s.id = p.session_id where p.updated_at > since
        union
        select s.key from users u join sessions s on s.id = u.session_id where u.updated_at > since
      ), now_at as materialized (
        select s.key as session_key, (s.created_at at time zone 'UTC')::date as day,
          coalesce(nullif(left(lower(m.utm_source), 60), ''), nullif(left(lower(m.utm), 60), ''),
            case when m.fbclid is not null then 'facebook' end, 'direct') as source,
          coalesce(s.selected_price_cents, 0) as price_cents,
          case
            when s.payment_status <> 'unpaid' and exists (select from users u
              where u.session_id = s.id and u.auth_user_id is not null) then 'account'
            when s.payment_status <> 'unpaid' and s.upsell_finished_at is not null then 'add-ons'
            when s.payment_status <> 'unpaid' then 'paid'
            when s.checkout_opened_at is not null then 'checkout'
            when p.furthest > 0 then 'quiz'
            when p.furthest = 0 then 'welcome'
            else 'visit'
          end::funnel_stage as stage,
          coalesce(p.furthest, 0) as step,
          coalesce((select sum(y.amount_cents - y.refunded_cents) from payments y where y.session_id = s.id
            and y.settled_at is not null and not y.is_duplicate), 0) as revenue_cents
        from changed c join sessions s on s.key = c.key
        left join session_metadata m on m.session_id = s.id
        left join session_progress p on p.session_key = s.key
        where not s.is_bot
      ), before as materialized (
        select f.* from changed c join funnel_places f on f.session_key = c.key
      ), placed as (
        insert into funnel_places as f (session_key, day, source, price_cents, stage, step, revenue_cents)
        select session_key, day, source, price_cents, stage, step, revenue_cents from now_at
        on conflict (session_key) do update set source = excluded.source, price_cents = excluded.price_cents,
          stage = excluded.stage, step = excluded.step, revenue_cents = excluded.revenue_cents
        where (f.source, f.price_cents, f.stage, f.step, f.revenue_cents) is distinct from
          (excluded.source, excluded.price_cents, excluded.stage, excluded.step, excluded.revenue_cents)
      ), found_out as (
        delete from funnel_places f using before b where f.session_key = b.session_key
          and not exists (select from now_at n where n.session_key = b.session_key)
      )
      insert into funnel_counts as c (day, source, price_cents, stage, step, sessions, revenue_cents)
      select day, source, price_cents, stage, step, sum(visits), sum(revenue_cents) from (
        select day, source, price_cents, stage, step, 1 as visits, revenue_cents from now_at
        union all
        select day, source, price_cents, stage, step, -1, -revenue_cents from before
      ) moved
      group by 1, 2, 3, 4, 5 having sum(visits) <> 0 or sum(revenue_cents) <> 0
      on conflict (day, source, price_cents, stage, step) do update set sessions = c.sessions + excluded.sessions,
        revenue_cents = c.revenue_cents + excluded.revenue_cents;
      insert into bookmarks (name, at) values ('funnel', started)
      on conflict (name) do update set at = greatest(bookmarks.at, excluded.at);
    end $$;

    -- what changed lately, in tables of any size; a summarizing index keeps updates of the rows cheap (HOT)
    create index session_progress_updated_at on session_progress using brin (updated_at)
      with (autosummarize = on, pages_per_range = 16);
    create index payments_updated_at on payments using brin (updated_at)
      with (autosummarize = on, pages_per_range = 16);
    create index users_updated_at on users using brin (updated_at) with (autosummarize = on, pages_per_range = 16);
  `,
    )
    .execute(db)
}

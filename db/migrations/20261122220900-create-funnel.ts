/** The funnel's counts, filled day by day: a long history in one statement would take too long (D-09). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- How many sessions of a day, source and price came at least this far. Filled by refresh_funnel().
    create table funnel_rollup (
      day date not null,
      source text not null,
      -- 0: none chosen
      price_cents integer not null,
      -- 0 visit, 1 Welcome, 2..34 the quiz steps 1..33, 35 checkout, 36 paid, 37 add-ons done, 38 account
      stage smallint not null,
      sessions integer not null,
      revenue_cents bigint not null default 0,
      primary key (day, source, price_cents, stage)
    );

    create view funnel_counts as
      select day, source, price_cents, stage,
        case when stage = 0 then 'visit' when stage = 1 then 'Welcome' when stage between 2 and 34
          then 'step ' || (stage - 1) when stage = 35 then 'checkout' when stage = 36 then 'paid' when stage = 37
          then 'add-ons' else 'account' end as step,
        sessions, revenue_cents
      from funnel_rollup;

    -- days in which something changed since they were counted
    create table funnel_dirty (day date primary key);

    -- Notes the days that changed, then counts the p_most newest of them. Returns how many are left to count.
    create function refresh_funnel(p_most integer default 3) returns integer language plpgsql as $$
    declare
      since timestamptz;
      started timestamptz := clock_timestamp();
      d date;
      rest integer;
    begin
      perform pg_advisory_xact_lock(hashtext('refresh_funnel'));
      select at - interval '20 seconds' into since from bookmarks where name = 'funnel';
      since := coalesce(since, '-infinity');
      insert into funnel_dirty (day)
      select (s.created_at at time zone 'UTC')::date from sessions s where s.updated_at > since
      union
      select (s.created_at at time zone 'UTC')::date from session_progress p join sessions s on s.key = p.session_key
        where p.updated_at > since
      union
      select (s.created_at at time zone 'UTC')::date from payments p join sessions s on s.id = p.session_id
        where p.updated_at > since
      union
      select (s.created_at at time zone 'UTC')::date from users u join sessions s on s.id = u.session_id
        where u.updated_at > since
      on conflict do nothing;
      insert into bookmarks (name, at) values ('funnel', started)
      on conflict (name) do update set at = greatest(bookmarks.at, excluded.at);

      for d in select day from funnel_dirty order by day desc limit p_most loop
        delete from funnel_rollup where day = d;
        insert into funnel_rollup (day, source, price_cents, stage, sessions, revenue_cents)
        with mine as materialized (
          select s.id, s.key, s.payment_status, s.upsell_finished_at, s.checkout_opened_at,
            coalesce(s.selected_price_cents, 0) as price_cents
          from sessions s
          where s.created_at >= d::timestamp at time zone 'UTC' and s.created_at < (d + 1)::timestamp at time zone 'UTC'
            and not s.is_bot
        ), money as (
          select y.session_id, sum(y.amount_cents - y.refunded_cents) as revenue
          from mine join payments y on y.session_id = mine.id
          where y.settled_at is not null and not y.is_duplicate group by y.session_id
        ), accounts as (
          select distinct u.session_id from mine join users u on u.session_id = mine.id where u.auth_user_id is not null
        ), grouped as (
          select
            coalesce(nullif(left(lower(m.utm_source), 60), ''), nullif(left(lower(m.utm), 60), ''),
              case when m.fbclid is not null then 'facebook' end, 'direct') as source,
            mine.price_cents,
            case
              when mine.payment_status <> 'unpaid' and a.session_id is not null then 38
              when mine.payment_status <> 'unpaid' and mine.upsell_finished_at is not null then 37
              when mine.payment_status <> 'unpaid' then 36
              when mine.checkout_opened_at is not null then 35
              else least(coalesce(p.furthest + 1, 0), 34)
            end as reached,
            count(*) as sessions, coalesce(sum(money.revenue), 0) as revenue
          from mine
          left join session_metadata m on m.session_id = mine.id
          left join session_progress p on p.session_key = mine.key
          left join money on money.session_id = mine.id
          left join accounts a on a.session_id = mine.id
          group by 1, 2, 3
        )
        select d, g.source, g.price_cents, stage.n, sum(g.sessions),
          case when stage.n = 36 then sum(g.revenue) else 0 end
        from grouped g join generate_series(0, 38) as stage(n) on stage.n <= g.reached
        group by g.source, g.price_cents, stage.n;
        delete from funnel_dirty where day = d;
      end loop;
      select count(*) into rest from funnel_dirty;
      return rest;
    end $$;
  `,
    )
    .execute(db)
}

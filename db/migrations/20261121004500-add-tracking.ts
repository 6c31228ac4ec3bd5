/**
 * Tracking and privacy: furthest step, grouped errors, Meta's browser ids, the attribution of a payment, operators, the
 * funnel's counts, retention (D-07…D-12, T-02, U-09).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    alter table sessions add column is_bot boolean not null default false;
    -- what changed since the counts were made; a summarizing index keeps updates of the row cheap (HOT)
    create index sessions_updated_at on sessions using brin (updated_at) with (autosummarize = on, pages_per_range = 16);

    -- the furthest quiz step of a session: 0 Welcome, 1..n. Apart from sessions, whose rows are wide.
    create table session_progress (
      session_key bigint primary key,
      furthest smallint not null check (furthest >= 0),
      updated_at timestamptz not null default now()
    ) with (fillfactor = 80);

    alter table session_metadata add column fbc text, add column fbp text;

    alter table session_errors add column fingerprint text;
    create table error_groups (
      fingerprint text primary key,
      type text not null,
      message text not null,
      stack text,
      url text,
      occurrences bigint not null default 0,
      first_seen timestamptz not null default now(),
      last_seen timestamptz not null default now()
    );
    create index error_groups_last_seen on error_groups (last_seen desc);

    -- L-06: where the buyer had come from when the payment was made, whatever happens to the session later
    alter table payments add column attribution jsonb;
    create function keep_payment_attribution() returns trigger language plpgsql as $$
    begin
      new.attribution := coalesce(new.attribution, (
        select jsonb_strip_nulls(jsonb_build_object('first', m.first_touch, 'last', m.last_touch, 'fbc', m.fbc, 'fbp', m.fbp))
        from session_metadata m where m.session_id = new.session_id));
      return new;
    end $$;
    create trigger payments_attribution before insert on payments
      for each row execute function keep_payment_attribution();

    create table operators (
      auth_user_id text primary key references auth_user on delete cascade,
      created_at timestamptz not null default now()
    );

    -- D-12: that something was erased, and nothing of what it was
    create table erasures (
      id uuid primary key default uuidv7(),
      session_id uuid not null references sessions,
      erased_at timestamptz not null default now()
    );

    create or replace function update_session_metadata(p_session_id uuid, p_metadata jsonb) returns boolean language sql as $$
      with written as (
        insert into session_metadata as m
          (session_id, user_agent, referer, utm_source, utm_medium, utm_campaign, utm_content, utm_term, utm, fbclid,
           first_touch, last_touch, device_type, browser, os, screen_resolution, timezone, language, country, city, fbc, fbp)
        select s.id, n.user_agent, n.referer, n.utm_source, n.utm_medium, n.utm_campaign, n.utm_content, n.utm_term, n.utm,
          n.fbclid, n.first_touch, n.last_touch, n.device_type, n.browser, n.os, n.screen_resolution, n.timezone,
          n.language, n.country, n.city, n.fbc, n.fbp
        from sessions s, jsonb_populate_record(null::session_metadata, p_metadata) n
        where s.id = p_session_id
        on conflict (session_id) do update set
          user_agent = coalesce(excluded.user_agent, m.user_agent),
          referer = coalesce(excluded.referer, m.referer),
          utm_source = coalesce(excluded.utm_source, m.utm_source),
          utm_medium = coalesce(excluded.utm_medium, m.utm_medium),
          utm_campaign = coalesce(excluded.utm_campaign, m.utm_campaign),
          utm_content = coalesce(excluded.utm_content, m.utm_content),
          utm_term = coalesce(excluded.utm_term, m.utm_term),
          utm = coalesce(excluded.utm, m.utm),
          fbclid = coalesce(excluded.fbclid, m.fbclid),
          first_touch = coalesce(m.first_touch, excluded.first_touch),
          last_touch = coalesce(excluded.last_touch, m.last_touch),
          device_type = coalesce(excluded.device_type, m.device_type),
          browser = coalesce(excluded.browser, m.browser),
          os = coalesce(excluded.os, m.os),
          screen_resolution = coalesce(excluded.screen_resolution, m.screen_resolution),
          timezone = coalesce(excluded.timezone, m.timezone),
          language = coalesce(excluded.language, m.language),
          country = coalesce(excluded.country, m.country),
          city = coalesce(excluded.city, m.city),
          fbc = coalesce(excluded.fbc, m.fbc),
          fbp = coalesce(excluded.fbp, m.fbp)
        returning 1
      )
      select exists (select 1 from written)
    $$;

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
        case when stage = 0 then 'visit' when stage = 1 then 'Welcome' when stage between 2 and 34 then 'step ' || (stage - 1)
          when stage = 35 then 'checkout' when stage = 36 then 'paid' when stage = 37 then 'add-ons' else 'account' end as step,
        sessions, revenue_cents
      from funnel_rollup;

    -- Counts the days again in which something changed since the last time. Bots stay out. Returns the number of days.
    create function refresh_funnel() returns integer language plpgsql as $$
    declare
      since timestamptz;
      started timestamptz := clock_timestamp();
      days date[];
    begin
      perform pg_advisory_xact_lock(hashtext('refresh_funnel'));
      select at - interval '20 seconds' into since from bookmarks where name = 'funnel';
      since := coalesce(since, '-infinity');
      select array_agg(distinct (s.created_at at time zone 'UTC')::date) into days from sessions s
      where s.updated_at > since
        or s.key in (select p.session_key from session_progress p where p.updated_at > since)
        or s.id in (select p.session_id from payments p where p.updated_at > since)
        or s.id in (select u.session_id from users u where u.updated_at > since and u.session_id is not null);
      if days is not null then
        delete from funnel_rollup where day = any (days);
        insert into funnel_rollup (day, source, price_cents, stage, sessions, revenue_cents)
        with wanted as (
          select (s.created_at at time zone 'UTC')::date as day,
            coalesce(nullif(left(lower(m.utm_source), 60), ''), nullif(left(lower(m.utm), 60), ''),
              case when m.fbclid is not null then 'facebook' end, 'direct') as source,
            coalesce(s.selected_price_cents, 0) as price_cents,
            case
              when u.id is not null then 38
              when s.payment_status <> 'unpaid' and s.upsell_finished_at is not null then 37
              when s.payment_status <> 'unpaid' then 36
              when s.checkout_opened_at is not null then 35
              else coalesce(p.furthest + 1, 0)
            end as reached,
            coalesce(y.revenue, 0) as revenue
          from sessions s
          left join session_metadata m on m.session_id = s.id
          left join session_progress p on p.session_key = s.key
          left join lateral (select u.id from users u where u.session_id = s.id and u.auth_user_id is not null limit 1) u
            on s.payment_status <> 'unpaid'
          left join lateral (
            select sum(y.amount_cents - y.refunded_cents) as revenue from payments y
            where y.session_id = s.id and y.settled_at is not null and not y.is_duplicate
          ) y on s.payment_status <> 'unpaid'
          where not s.is_bot and s.created_at >= (select min(d) from unnest(days) d) at time zone 'UTC'
            and s.created_at < ((select max(d) from unnest(days) d) + 1) at time zone 'UTC'
            and (s.created_at at time zone 'UTC')::date = any (days)
        ), grouped as (
          select day, source, price_cents, least(reached, 38) as reached, count(*) as sessions, sum(revenue) as revenue
          from wanted group by 1, 2, 3, 4
        )
        select g.day, g.source, g.price_cents, stage.n, sum(g.sessions),
          case when stage.n = 36 then sum(g.revenue) else 0 end
        from grouped g join generate_series(0, 38) as stage(n) on stage.n <= g.reached
        group by g.day, g.source, g.price_cents, stage.n;
      end if;
      insert into bookmarks (name, at) values ('funnel', started)
      on conflict (name) do update set at = greatest(bookmarks.at, excluded.at);
      return coalesce(array_length(days, 1), 0);
    end $$;

    -- Retention: months that ended before p_before are dropped whole; of the default partition the old rows go.
    create function drop_event_partitions(p_before date) returns integer language plpgsql as $$
    declare
      t text;
      part text;
      dropped integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
      foreach t in array array['page_views', 'activities', 'session_errors'] loop
        for part in
          select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = to_regclass(t) and c.relname ~ ('^' || t || '_\\d{4}_\\d{2}$')
            and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= p_before
        loop
          execute format('drop table %I', part);
          dropped := dropped + 1;
        end loop;
        execute format('delete from %I where id < uuid7_floor(%L)', t || '_rest', p_before::timestamp at time zone 'UTC');
      end loop;
      delete from error_groups where last_seen < p_before;
      return dropped;
    end $$;
  `,
    )
    .execute(db)
}

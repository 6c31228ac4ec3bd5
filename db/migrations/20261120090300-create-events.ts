/**
 * Page views, activities and errors of a session (D-08), range-partitioned by their time-ordered id: one key gives
 * uniqueness, order and retention (a month is dropped, not deleted). A default partition catches what has no month yet.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- The smallest uuidv7 of a moment: 48 bits of milliseconds, the rest zero.
    create function uuid7_floor(p_at timestamptz) returns uuid language sql immutable as $$
      select (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
    $$;

    create table page_views (
      id uuid not null default uuidv7() primary key,
      session_key bigint not null,
      url text not null,
      title text,
      step text,
      referrer text,
      -- seconds on the page, deepest scroll in percent, number of interactions
      seconds integer check (seconds >= 0),
      scroll_depth smallint check (scroll_depth between 0 and 100),
      interactions integer check (interactions >= 0),
      ended_at timestamptz
    ) partition by range (id);
    create index page_views_session on page_views (session_key);
    create table page_views_rest partition of page_views default;

    create table activities (
      id uuid not null default uuidv7() primary key,
      session_key bigint not null,
      type text not null,
      data jsonb,
      page_url text,
      page_title text,
      duration integer check (duration >= 0)
    ) partition by range (id);
    create index activities_session on activities (session_key);
    create table activities_rest partition of activities default;

    create table session_errors (
      id uuid not null default uuidv7() primary key,
      session_key bigint not null,
      type text not null,
      message text not null,
      stack text,
      url text,
      user_agent text
    ) partition by range (id);
    create index session_errors_session on session_errors (session_key);
    create table session_errors_rest partition of session_errors default;

    -- Makes the months from p_from on, p_months of them, for the three tables. Safe to repeat and to run twice at once.
    create function ensure_event_partitions(p_from date, p_months integer) returns integer language plpgsql as $$
    declare
      t text;
      m date;
      made integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
      foreach t in array array['page_views', 'activities', 'session_errors'] loop
        for i in 0 .. p_months - 1 loop
          m := date_trunc('month', p_from)::date + make_interval(months => i);
          if to_regclass(format('%I', t || to_char(m, '_YYYY_MM'))) is null then
            execute format('create table %I partition of %I for values from (%L) to (%L)', t || to_char(m, '_YYYY_MM'), t,
              uuid7_floor(m::timestamp at time zone 'UTC'),
              uuid7_floor((m + interval '1 month')::timestamp at time zone 'UTC'));
            made := made + 1;
          end if;
        end loop;
      end loop;
      return made;
    end $$;

    select ensure_event_partitions((now() at time zone 'UTC')::date, 3);

    -- The five procedures. An id nobody knows writes nothing and returns null: tracking never fails a visitor (T-04).
    create function log_session_activity(
      p_session_id uuid, p_type text, p_data jsonb default null, p_page_url text default null,
      p_page_title text default null, p_duration integer default null
    ) returns uuid language sql as $$
      insert into activities (session_key, type, data, page_url, page_title, duration)
      select s.key, p_type, p_data, p_page_url, p_page_title, case when p_duration >= 0 then p_duration end
      from sessions s where s.id = p_session_id
      returning id
    $$;

    create function log_page_view(
      p_session_id uuid, p_url text, p_title text default null, p_step text default null, p_referrer text default null
    ) returns uuid language sql as $$
      insert into page_views (session_key, url, title, step, referrer)
      select s.key, p_url, p_title, p_step, p_referrer from sessions s where s.id = p_session_id
      returning id
    $$;

    -- Returns whether the page view exists. A repeated end keeps the larger numbers: beacons may arrive twice or late.
    create function end_page_view(
      p_id uuid, p_seconds integer, p_scroll_depth integer default 0, p_interactions integer default 0
    ) returns boolean language sql as $$
      with ended as (
        update page_views set
          seconds = greatest(seconds, p_seconds, 0),
          scroll_depth = greatest(scroll_depth, least(greatest(p_scroll_depth, 0), 100)::smallint),
          interactions = greatest(interactions, p_interactions, 0),
          ended_at = now()
        where id = p_id
        returning 1
      )
      select exists (select 1 from ended)
    $$;

    create function log_session_error(
      p_session_id uuid, p_type text, p_message text, p_stack text default null, p_url text default null,
      p_user_agent text default null
    ) returns uuid language sql as $$
      insert into session_errors (session_key, type, message, stack, url, user_agent)
      select s.key, p_type, p_message, p_stack, p_url, p_user_agent from sessions s where s.id = p_session_id
      returning id
    $$;

    -- Keys are the columns of session_metadata (D-07). A key that is absent or null leaves what is known.
    create function update_session_metadata(p_session_id uuid, p_metadata jsonb) returns boolean language sql as $$
      with written as (
        insert into session_metadata as m
          (session_id, user_agent, referer, utm_source, utm_medium, utm_campaign, utm_content, utm_term, utm, fbclid,
           first_touch, last_touch, device_type, browser, os, screen_resolution, timezone, language, country, city)
        select s.id, n.user_agent, n.referer, n.utm_source, n.utm_medium, n.utm_campaign, n.utm_content, n.utm_term, n.utm,
          n.fbclid, n.first_touch, n.last_touch, n.device_type, n.browser, n.os, n.screen_resolution, n.timezone,
          n.language, n.country, n.city
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
          city = coalesce(excluded.city, m.city)
        returning 1
      )
      select exists (select 1 from written)
    $$;
  `,
    )
    .execute(db)
}

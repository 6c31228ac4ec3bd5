/**
 * Page views and activities by a 64-bit id instead of a 128-bit one: 42 bits of milliseconds, 21 random ones. An id is
 * unique within its session (the key is (session_key, id)), where two events of one millisecond meet once in two
 * million times and then count as one. 16 bytes less in a row with its index and in its WAL. What an activity tells is
 * kept as its text (json): its binary form is longer for a handful of words, and nothing looks inside.
 *
 * The tables are copied, so a large installation runs this in a quiet hour; a replica of the release before cannot
 * write them any more, and the events wait in the browsers' outbox.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- The smallest event id of a moment; its milliseconds count from 2020.
    create function event_id_floor(p_at timestamptz) returns bigint language sql immutable as $$
      select (floor(extract(epoch from p_at) * 1000)::bigint - 1577836800000) << 21
    $$;
    -- When the event with this id happened.
    create function event_time(p_id bigint) returns timestamptz language sql immutable as $$
      select to_timestamp(((p_id >> 21) + 1577836800000) / 1000.0)
    $$;

    create temp table long_views on commit drop as select * from page_views;
    create temp table long_activities on commit drop as select * from activities;
    drop table page_views;
    drop table activities;

    create table page_views (
      session_key bigint not null,
      id bigint not null
        default ((floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1577836800000) << 21) | floor(random() * 2097152)::bigint,
      -- seconds on the page (null: it has not ended), number of interactions, deepest scroll in percent
      seconds integer check (seconds >= 0),
      interactions integer check (interactions >= 0),
      scroll_depth smallint check (scroll_depth between 0 and 100),
      url text not null,
      title text,
      step text,
      referrer text,
      primary key (session_key, id)
    ) partition by range (id);
    create index page_views_id on page_views using brin (id) with (pages_per_range = 32, autosummarize = on);
    create table page_views_rest partition of page_views default;

    create table activities (
      session_key bigint not null,
      id bigint not null
        default ((floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1577836800000) << 21) | floor(random() * 2097152)::bigint,
      duration integer check (duration >= 0),
      type text not null,
      data json,
      page_url text,
      page_title text,
      primary key (session_key, id)
    ) partition by range (id);
    create table activities_rest partition of activities default;

    create or replace function ensure_event_partitions(p_from date, p_months integer) returns integer language plpgsql as $$
    declare
      t text;
      m date;
      first timestamptz;
      after timestamptz;
      made integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('ensure_event_partitions'));
      foreach t in array array['page_views', 'activities', 'session_errors'] loop
        for i in 0 .. p_months - 1 loop
          m := date_trunc('month', p_from)::date + make_interval(months => i);
          if to_regclass(format('%I', t || to_char(m, '_YYYY_MM'))) is null then
            first := m::timestamp at time zone 'UTC';
            after := (m + interval '1 month')::timestamp at time zone 'UTC';
            execute format('create table %I partition of %I for values from (%L) to (%L)', t || to_char(m, '_YYYY_MM'), t,
              case when t = 'session_errors' then uuid7_floor(first)::text else event_id_floor(first)::text end,
              case when t = 'session_errors' then uuid7_floor(after)::text else event_id_floor(after)::text end);
            made := made + 1;
          end if;
        end loop;
      end loop;
      return made;
    end $$;

    create or replace function drop_event_partitions(p_before date) returns integer language plpgsql as $$
    declare
      t text;
      part text;
      dropped integer := 0;
      before timestamptz := p_before::timestamp at time zone 'UTC';
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
        execute format('delete from %I where id < %L', t || '_rest',
          case when t = 'session_errors' then uuid7_floor(before)::text else event_id_floor(before)::text end);
      end loop;
      delete from error_groups where last_seen < p_before;
      return dropped;
    end $$;

    do $$
    declare
      first date := least(
        (select min(uuid_extract_timestamp(id)) from long_views where uuid_extract_version(id) = 7),
        (select min(uuid_extract_timestamp(id)) from long_activities where uuid_extract_version(id) = 7),
        now()) at time zone 'UTC';
    begin
      first := greatest(date_trunc('month', first)::date, (now() - interval '5 years')::date);
      perform ensure_event_partitions(first,
        ((extract(year from age(date_trunc('month', now()), first)) * 12
          + extract(month from age(date_trunc('month', now()), first)))::integer + 3));
    end $$;

    -- the same id as the service makes of a browser's (tracking/clean.ts): what comes again after this is still known
    create function pg_temp.short_id(p_id uuid) returns bigint language sql immutable as $$
      select event_id_floor(coalesce(uuid_extract_timestamp(p_id), now())) | (('x' || right(p_id::text, 6))::bit(24)::bigint & 2097151)
    $$;
    insert into page_views (session_key, id, seconds, interactions, scroll_depth, url, title, step, referrer)
    select session_key, pg_temp.short_id(id), seconds, interactions, scroll_depth, url, title, step, referrer from long_views order by id
    on conflict do nothing;
    insert into activities (session_key, id, duration, type, data, page_url, page_title)
    select session_key, pg_temp.short_id(id), duration, type, data, page_url, page_title from long_activities order by id
    on conflict do nothing;

    drop function log_session_activity, log_page_view, end_page_view;

    create function log_session_activity(
      p_session_id uuid, p_type text, p_data jsonb default null, p_page_url text default null,
      p_page_title text default null, p_duration integer default null
    ) returns bigint language sql as $$
      insert into activities (session_key, type, data, page_url, page_title, duration)
      select s.key, p_type, p_data, p_page_url, p_page_title, case when p_duration >= 0 then p_duration end
      from sessions s where s.id = p_session_id
      returning id
    $$;

    create function log_page_view(
      p_session_id uuid, p_url text, p_title text default null, p_step text default null, p_referrer text default null
    ) returns bigint language sql as $$
      insert into page_views (session_key, url, title, step, referrer)
      select s.key, p_url, p_title, p_step, p_referrer from sessions s where s.id = p_session_id
      returning id
    $$;

    -- Returns whether the page view exists. A repeated end keeps the larger numbers: beacons may arrive twice or late.
    create function end_page_view(
      p_id bigint, p_seconds integer, p_scroll_depth integer default 0, p_interactions integer default 0
    ) returns boolean language sql as $$
      with ended as (
        update page_views set
          seconds = greatest(seconds, p_seconds, 0),
          scroll_depth = greatest(scroll_depth, least(greatest(p_scroll_depth, 0), 100)::smallint),
          interactions = greatest(interactions, p_interactions, 0)
        where id = p_id
        returning 1
      )
      select exists (select 1 from ended)
    $$;
  `,
    )
    .execute(db)
}

/**
 * Page views, activities and errors of a session (D-08), range-partitioned by their time-ordered id, so that retention
 * drops whole months instead of deleting rows. A default partition catches rows without a month yet. Views and
 * activities are keyed by (session_key, id): this one index is unique, finds a visit's events in order, and keeps other
 * sessions' rows out of reach. Their ids are 64 bits: 42 of milliseconds since 2020, 21 random.
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

    -- The smallest event id of a moment; its milliseconds count from 2020.
    create function event_id_floor(p_at timestamptz) returns bigint language sql immutable as $$
      select (floor(extract(epoch from p_at) * 1000)::bigint - 1577836800000) << 21
    $$;
    -- When the event with this id happened.
    create function event_time(p_id bigint) returns timestamptz language sql immutable as $$
      select to_timestamp(((p_id >> 21) + 1577836800000) / 1000.0)
    $$;

    create table page_views (
      session_key bigint not null,
      id bigint not null
        default ((floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1577836800000) << 21)
          | floor(random() * 2097152)::bigint,
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
    -- who looks for a bare id (end_page_view) finds it by a summary of block ranges: rows lie in the order of time
    create index page_views_id on page_views using brin (id) with (pages_per_range = 32, autosummarize = on);
    create table page_views_rest partition of page_views default;

    create table activities (
      session_key bigint not null,
      id bigint not null
        default ((floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1577836800000) << 21)
          | floor(random() * 2097152)::bigint,
      duration integer check (duration >= 0),
      type text not null,
      -- json, not jsonb: nothing looks inside, and its text is shorter
      data json,
      page_url text,
      page_title text,
      primary key (session_key, id)
    ) partition by range (id);
    create table activities_rest partition of activities default;

    create table session_errors (
      id uuid not null default uuidv7() primary key,
      session_key bigint not null,
      type text not null,
      message text not null,
      stack text,
      url text,
      user_agent text,
      fingerprint text
    ) partition by range (id);
    create index session_errors_session on session_errors (session_key);
    create table session_errors_rest partition of session_errors default;

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

    -- Makes the months from p_from on, p_months of them, for the three tables. Safe to repeat and to run twice at once.
    create function ensure_event_partitions(p_from date, p_months integer) returns integer language plpgsql as $$
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
            execute format('create table %I partition of %I for values from (%L) to (%L)',
              t || to_char(m, '_YYYY_MM'), t,
              case when t = 'session_errors' then uuid7_floor(first)::text else event_id_floor(first)::text end,
              case when t = 'session_errors' then uuid7_floor(after)::text else event_id_floor(after)::text end);
            made := made + 1;
          end if;
        end loop;
      end loop;
      return made;
    end $$;

    -- Retention: months that ended before p_before are dropped whole; of the default partition the old rows go.
    create function drop_event_partitions(p_before date) returns integer language plpgsql as $$
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

    select ensure_event_partitions((now() at time zone 'UTC')::date, 3);
  `,
    )
    .execute(db)
}

/**
 * Answers, page views and activities in less WAL and fewer bytes. A row with its indexes, before → after, as
 * `npm run bench -- api:storage` counts: page view 145 → 139 B and 276 → 221 B of WAL, activity 137 → 145 B and
 * 268 → 224 B, answer 173 → 144 B and 321 → 224 B.
 *
 * - Events have one index instead of two: (session_key, id) is unique, finds a visit's events in their order, and holds
 *   for a session what an id alone held for all: nobody can touch another session's row. Who looks for a bare id
 *   (end_page_view) finds it by a summary of the ids a block range, which costs an insert nothing: rows lie in time order.
 * - An answer's uniqueness is indexed by the 64-bit hash of the question's name: 36 B an entry, whatever the name. The
 *   moment an answer was given is `updated_at` (it was kept twice). No foreign key: its check locked the session's row
 *   for every answer, some 60 B of WAL and a fifth of the insert's time; sessions are never deleted, and the service writes
 *   answers only for a session whose token it has found in the same statement.
 * - Columns stand in the order of their alignment, and what can be told from others (ended_at) is not kept.
 *
 * A replica of the release before this one cannot write these three tables any more (its upserts name the old keys):
 * its 500s leave the answers and events in the browsers' outbox, which sends them to the next replica. The tables are
 * copied, so a large installation runs this in a quiet hour.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table slim_answers (
      session_id uuid not null,
      created_at timestamptz not null default now(),
      -- when the visitor gave the answer, by the browser's clock: the later one wins, whatever the order of arrival (Q-10)
      updated_at timestamptz not null default now(),
      question_id text not null check (length(question_id) between 1 and 100),
      answer text not null check (length(answer) <= 10000)
    );
    insert into slim_answers (session_id, created_at, updated_at, question_id, answer)
    select session_id, created_at, answered_at, question_id, answer from quiz_answers;
    drop table quiz_answers;
    alter table slim_answers rename to quiz_answers;
    create unique index quiz_answers_one_a_question on quiz_answers (session_id, hashtextextended(question_id, 0));

    create temp table kept_views on commit drop as select * from page_views;
    create temp table kept_activities on commit drop as select * from activities;
    drop table page_views;
    drop table activities;

    create table page_views (
      session_key bigint not null,
      id uuid not null default uuidv7(),
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
      id uuid not null default uuidv7(),
      duration integer check (duration >= 0),
      type text not null,
      data jsonb,
      page_url text,
      page_title text,
      primary key (session_key, id)
    ) partition by range (id);
    create table activities_rest partition of activities default;

    do $$
    declare
      first date := least(
        (select min(uuid_extract_timestamp(id)) from kept_views where uuid_extract_version(id) = 7),
        (select min(uuid_extract_timestamp(id)) from kept_activities where uuid_extract_version(id) = 7),
        now()) at time zone 'UTC';
    begin
      first := greatest(date_trunc('month', first)::date, (now() - interval '5 years')::date);
      perform ensure_event_partitions(first,
        ((extract(year from age(date_trunc('month', now()), first)) * 12
          + extract(month from age(date_trunc('month', now()), first)))::integer + 3));
    end $$;

    insert into page_views (session_key, id, seconds, interactions, scroll_depth, url, title, step, referrer)
    select session_key, id, seconds, interactions, scroll_depth, url, title, step, referrer from kept_views order by id;
    insert into activities (session_key, id, duration, type, data, page_url, page_title)
    select session_key, id, duration, type, data, page_url, page_title from kept_activities order by id;

    create or replace function end_page_view(
      p_id uuid, p_seconds integer, p_scroll_depth integer default 0, p_interactions integer default 0
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

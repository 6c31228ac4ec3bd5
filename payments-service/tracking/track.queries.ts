import { type RawBuilder, sql } from 'kysely'
import { DAY } from '../../contract/time.ts'
import { firstErrorId, firstEventId } from './clean.ts'

export interface ViewRow {
  id: string
  url: string
  title: string | null
  step: string | null
  referrer: string | null
  seconds: number | null
  depth: number | null
  interactions: number | null
  /** 0 Welcome, 1..n; null off the quiz. */
  place: number | null
  /** Of a place in the quiz, from pages that say it: the published revision and the step's key in it. */
  revision: string | null
  stepKey: string | null
}
export interface ActivityRow {
  id: string
  type: string
  data: Record<string, unknown> | null
  url: string | null
  title: string | null
  duration: number | null
}
export interface ErrorRow {
  id: string
  type: string
  message: string
  stack: string | null
  url: string | null
  userAgent: string | null
  fingerprint: string
}

export interface EventRows {
  views: ViewRow[]
  activities: ActivityRow[]
  errors: ErrorRow[]
}

/** Rows of one kind that a session may store within a day; any more are dropped. */
export const MOST_A_DAY = { views: 1_000, activities: 2_000, errors: 100 } as const

/**
 * Writes the events of one request into the session that `open` holds (writeOpened). A known id is the same event
 * again: a page view keeps its larger numbers, the others change nothing.
 */
export function eventsWrite({ views, activities, errors }: EventRows): RawBuilder<unknown>[] {
  const places = views.flatMap(({ place }) => place ?? [])
  return [
    ...(views.length > 0 ? [viewsWrite(views)] : []),
    ...(places.length > 0 ? [progressWrite(Math.max(...places))] : []),
    ...(activities.length > 0 ? [activitiesWrite(activities)] : []),
    ...(errors.length > 0 ? [errorsWrite(errors)] : []),
  ]
}

/**
 * The session, while it has room for rows of a kind. `since` is the smallest id of the last day, passed as a value and
 * not computed by PostgreSQL, so that the plan excludes partitions of other months.
 */
const room = (kind: keyof typeof MOST_A_DAY, table: string, since: unknown): RawBuilder<unknown> =>
  sql`${sql.raw(kind)}_room as materialized (
    select key from open where (
      select count(*) from (
        select 1 from ${sql.table(table)} t where t.session_key = open.key and t.id >= ${since} limit
          ${MOST_A_DAY[kind]}
      ) kept
    ) < ${MOST_A_DAY[kind]}
  )`
const yesterday = (): number => Date.now() - DAY

function viewsWrite(rows: readonly ViewRow[]): RawBuilder<unknown> {
  return sql`${room('views', 'page_views', firstEventId(yesterday()))}, views as (
    insert into page_views as known
      (session_key, id, seconds, interactions, scroll_depth, url, title, step, referrer, revision, step_key)
    select distinct on (v.id) key, v.id, v.seconds, v.interactions, v.depth, v.url, v.title, v.step, v.referrer,
      v.revision, v."stepKey"
    from views_room, json_to_recordset(${JSON.stringify(rows)}) as v(
      id bigint, seconds int, interactions int, depth smallint, url text, title text, step text, referrer text,
      revision text, "stepKey" text)
    order by v.id, v.seconds desc nulls last
    on conflict (session_key, id) do update set
      seconds = greatest(known.seconds, excluded.seconds),
      scroll_depth = greatest(known.scroll_depth, excluded.scroll_depth),
      interactions = greatest(known.interactions, excluded.interactions)
    where excluded.seconds > coalesce(known.seconds, -1) or excluded.scroll_depth > coalesce(known.scroll_depth, -1)
      or excluded.interactions > coalesce(known.interactions, -1)
  )`
}

/** The furthest step of the session, written only when it grows, so that otherwise no row is locked. */
function progressWrite(furthest: number): RawBuilder<unknown> {
  return sql`progress as (
    insert into session_progress as known (session_key, furthest)
    select key, ${furthest}::smallint from open
    where not exists (select from session_progress p where p.session_key = open.key and p.furthest >= ${furthest})
    on conflict (session_key) do update set furthest = excluded.furthest, updated_at = now()
    where known.furthest < excluded.furthest
  )`
}

function activitiesWrite(rows: readonly ActivityRow[]): RawBuilder<unknown> {
  return sql`${room('activities', 'activities', firstEventId(yesterday()))}, acts as (
    insert into activities (session_key, id, duration, type, data, page_url, page_title)
    select distinct on (a.id) key, a.id, a.duration, a.type, a.data, a.url, a.title
    from activities_room, json_to_recordset(${JSON.stringify(rows)}) as a(
      id bigint, duration int, type text, data json, url text, title text)
    order by a.id
    on conflict (session_key, id) do nothing
  )`
}

/**
 * One row per session and fingerprint, one group per fingerprint with count and times. Known ones are read only for
 * this session: joining them with the new ones could make PostgreSQL read the errors of all sessions.
 */
function errorsWrite(rows: readonly ErrorRow[]): RawBuilder<unknown> {
  return sql`${room('errors', 'session_errors', firstErrorId(yesterday()))}, known as materialized (
    select coalesce(array_agg(e.fingerprint), '{}') as fingerprints
    from session_errors e join errors_room on errors_room.key = e.session_key
  ), mine as materialized (
    select distinct on (e.id) key, e.*
    from errors_room, json_to_recordset(${JSON.stringify(rows)}) as e(
      id uuid, type text, message text, stack text, url text, "userAgent" text, fingerprint text)
    order by e.id
  ), groups as (
    insert into error_groups as g (fingerprint, type, message, stack, url, occurrences)
    select fingerprint, min(type), min(message), min(stack), min(url), count(*) from mine
    group by fingerprint order by fingerprint
    on conflict (fingerprint) do update set occurrences = g.occurrences + excluded.occurrences, last_seen = now()
  ), errs as (
    insert into session_errors (id, session_key, type, message, stack, url, user_agent, fingerprint)
    select distinct on (fingerprint) id, key, type, message, stack, url, "userAgent", fingerprint from mine, known
    where fingerprint != all (known.fingerprints)
    order by fingerprint, id
    on conflict (id) do nothing
  )`
}

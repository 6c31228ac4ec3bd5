import type pg from 'pg'
import { listOf, type Opened, type Presented, writeOpened } from '../sessions/opened.queries.ts'

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
}
export interface ActivityRow {
  id: string
  type: string
  data: string | null
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

export interface Beacon extends Presented {
  views: ViewRow[]
  activities: ActivityRow[]
  errors: ErrorRow[]
}

/**
 * Stores the events of many requests in one statement, which also checks every token: all of it or nothing, one commit.
 * An id that is known already is the same event again: a page view keeps its larger numbers, the others change nothing.
 */
export function storeBeacons(pool: pg.Pool, beacons: readonly Beacon[]): Promise<Opened[]> {
  const values: unknown[] = []
  /** The next parameters of the statement, from $3 on. */
  const next = (lists: unknown[]): string[] => lists.map((list) => `$${values.push(list) + 2}`)
  const views = flat(beacons, ({ views }) => views)
  const activities = flat(beacons, ({ activities }) => activities)
  const errors = flat(beacons, ({ errors }) => errors)
  const parts = [
    ...(views.length > 0 ? [ROOM.views, viewsPart(views, next), ...progressPart(views, next)] : []),
    ...(activities.length > 0 ? [ROOM.activities, activitiesPart(activities, next)] : []),
    ...(errors.length > 0 ? [ROOM.errors, errorsPart(errors, next)] : []),
  ]
  return writeOpened(pool, beacons, parts, values)
}

/** Rows of one kind that a session may store within a day; what is beyond is dropped. */
export const MOST_A_DAY = { views: 1_000, activities: 2_000, errors: 100 } as const

const room = (name: keyof typeof MOST_A_DAY, table: string, since: string): string =>
  `${name}_room as materialized (
    select open.n, open.key from open join (
      select own.key from (select distinct key from open) own where (
        select count(*) from (
          select 1 from ${table} t where t.session_key = own.key and t.id >= ${since} limit ${MOST_A_DAY[name]}
        ) kept
      ) < ${MOST_A_DAY[name]}
    ) roomy on roomy.key = open.key
  )`
const YESTERDAY = `event_id_floor(now() - interval '1 day')`
const ROOM = {
  views: room('views', 'page_views', YESTERDAY),
  activities: room('activities', 'activities', YESTERDAY),
  errors: room('errors', 'session_errors', `uuid7_floor(now() - interval '1 day')`),
} as const

type Placed<Row> = Row & { n: number }
type Next = (lists: unknown[]) => string[]

function flat<Row>(beacons: readonly Beacon[], rowsOf: (beacon: Beacon) => readonly Row[]): Placed<Row>[] {
  return beacons.flatMap((beacon, at) => rowsOf(beacon).map((row) => ({ ...row, n: at + 1 })))
}

/** Columns whose values are ids and numbers. */
const PLAIN: ReadonlySet<unknown> = new Set([
  'n',
  'id',
  'seconds',
  'depth',
  'interactions',
  'place',
  'duration',
  'fingerprint',
])

const columns = <Row>(rows: readonly Row[], ...keys: (keyof Row)[]): unknown[] =>
  keys.map((key) => {
    const column = rows.map((row) => row[key])
    return PLAIN.has(key) ? listOf(column as (string | number | null)[]) : column
  })

/** A merge, because `on conflict` writes a third record to the WAL for every row. */
function viewsPart(rows: readonly Placed<ViewRow>[], next: Next): string {
  const [n, id, url, title, step, referrer, seconds, depth, interactions] = next(
    columns(rows, 'n', 'id', 'url', 'title', 'step', 'referrer', 'seconds', 'depth', 'interactions'),
  )
  return `views as (
    merge into page_views t using (
      select distinct on (views_room.key, v.id) views_room.key, v.*
      from unnest(${n}::int[], ${id}::bigint[], ${url}::text[], ${title}::text[], ${step}::text[], ${referrer}::text[],
        ${seconds}::int[], ${depth}::smallint[], ${interactions}::int[])
        as v(n, id, url, title, step, referrer, seconds, depth, interactions)
      join views_room on views_room.n = v.n
      order by views_room.key, v.id, v.seconds desc nulls last
    ) s on t.session_key = s.key and t.id = s.id
    when matched and (s.seconds > coalesce(t.seconds, -1) or s.depth > coalesce(t.scroll_depth, -1)
      or s.interactions > coalesce(t.interactions, -1)) then update set
      seconds = greatest(t.seconds, s.seconds), scroll_depth = greatest(t.scroll_depth, s.depth),
      interactions = greatest(t.interactions, s.interactions)
    when not matched then insert (session_key, id, seconds, interactions, scroll_depth, url, title, step, referrer)
      values (s.key, s.id, s.seconds, s.interactions, s.depth, s.url, s.title, s.step, s.referrer)
    returning 1
  )`
}

/** The furthest step of each session, written only when it grew: a row that is only looked at is not locked either. */
function progressPart(all: readonly Placed<ViewRow>[], next: Next): string[] {
  const rows = all.filter(({ place }) => place !== null)
  if (rows.length === 0) return []
  const [n, place] = next(columns(rows, 'n', 'place'))
  return [
    `progress as (
      insert into session_progress (session_key, furthest)
      select reached.key, reached.furthest from (
        select open.key, max(v.place) as furthest
        from unnest(${n}::int[], ${place}::smallint[]) as v(n, place)
        join open on open.n = v.n group by open.key
      ) reached
      where not exists (
        select 1 from session_progress p where p.session_key = reached.key and p.furthest >= reached.furthest
      )
      order by reached.key
      on conflict (session_key) do update set furthest = excluded.furthest, updated_at = now()
      where session_progress.furthest < excluded.furthest
    )`,
  ]
}

/** What is known is looked up row by row (`offset 0`): as a join it may read all of a visit's activities for each. */
function activitiesPart(rows: readonly Placed<ActivityRow>[], next: Next): string {
  const [n, id, type, data, url, title, duration] = next(
    columns(rows, 'n', 'id', 'type', 'data', 'url', 'title', 'duration'),
  )
  return `acts as (
    insert into activities (session_key, id, duration, type, data, page_url, page_title)
    select distinct on (activities_room.key, v.id) activities_room.key, v.id, v.duration, v.type, v.data, v.url, v.title
    from unnest(${n}::int[], ${id}::bigint[], ${type}::text[], ${data}::json[], ${url}::text[], ${title}::text[],
      ${duration}::int[]) as v(n, id, type, data, url, title, duration)
    join activities_room on activities_room.n = v.n
    left join lateral (
      select true as known from activities t where t.session_key = activities_room.key and t.id = v.id offset 0
    ) t on true
    where t.known is null
    order by activities_room.key, v.id
  )`
}

/** One row a session and fingerprint, one group a fingerprint with how often and when. */
function errorsPart(rows: readonly Placed<ErrorRow>[], next: Next): string {
  const [n, id, type, message, stack, url, agent, fingerprint] = next(
    columns(rows, 'n', 'id', 'type', 'message', 'stack', 'url', 'userAgent', 'fingerprint'),
  )
  return `mine as materialized (
    select distinct on (v.id) v.id, errors_room.key, v.type, v.message, v.stack, v.url, v.agent, v.fingerprint
    from unnest(${n}::int[], ${id}::uuid[], ${type}::text[], ${message}::text[], ${stack}::text[], ${url}::text[],
      ${agent}::text[], ${fingerprint}::text[]) as v(n, id, type, message, stack, url, agent, fingerprint)
    join errors_room on errors_room.n = v.n
    order by v.id
  ), groups as (
    insert into error_groups (fingerprint, type, message, stack, url, occurrences)
    select fingerprint, min(type), min(message), min(stack), min(url), count(*) from mine group by fingerprint order by fingerprint
    on conflict (fingerprint) do update set
      occurrences = error_groups.occurrences + excluded.occurrences, last_seen = now()
  ), errs as (
    insert into session_errors (id, session_key, type, message, stack, url, user_agent, fingerprint)
    select distinct on (key, fingerprint) id, key, type, message, stack, url, agent, fingerprint from mine
    where not exists (
      select 1 from session_errors e where e.session_key = mine.key and e.fingerprint = mine.fingerprint
    )
    order by key, fingerprint, id
    on conflict (id) do nothing
  )`
}

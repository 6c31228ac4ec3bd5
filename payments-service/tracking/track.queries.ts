import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../db/connect.ts'
import { prepared } from '../../db/prepared.ts'

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

/** One request of a browser: the token it showed for the session it names. */
export interface Presented {
  sessionId: string
  tokenHash: Buffer
}
export interface Beacon extends Presented {
  views: ViewRow[]
  activities: ActivityRow[]
  errors: ErrorRow[]
}

/** False: this token does not open this session. `fresh`: it was never used before. */
export type Opened = false | { fresh: boolean }

/** The requests whose token opens their session, n = place in the batch. */
export function openRequests(requests: readonly Presented[]): RawBuilder<unknown> {
  return sql`open as materialized (
    select r.n, s.key, s.id, a.last_used_at = a.created_at as fresh, s.last_activity_at < now() - interval '60 seconds' as idle
    from unnest(${requests.map(({ tokenHash }) => tokenHash)}::bytea[], ${requests.map(({ sessionId }) => sessionId)}::uuid[])
      with ordinality as r(token_hash, session_id, n)
    join session_access a on a.token_hash = r.token_hash and a.session_id = r.session_id
      and a.revoked_at is null and a.expires_at > now()
    join sessions s on s.id = r.session_id
  )`
}

/** D-09: a session that does something is active; at most one write a minute, and never waiting for another writer. */
export const touched = sql`touched as (
  update sessions set last_activity_at = now()
  where id in (select id from sessions where id in (select id from open where idle) for no key update skip locked)
)`

export function openedOf(requests: readonly unknown[], rows: readonly { n: string; fresh: boolean }[]): Opened[] {
  const found = new Map(rows.map(({ n, fresh }) => [Number(n), fresh]))
  return requests.map((_, at) => {
    const fresh = found.get(at + 1)
    return fresh === undefined ? false : { fresh }
  })
}

/**
 * Stores the events of many requests in one statement, which also checks every token: all of it or nothing, one commit.
 * An id that is known already is the same event again: a page view keeps its larger numbers, the others change nothing,
 * and another session's row is never touched.
 */
export async function storeBeacons(db: Database, pool: pg.Pool, beacons: readonly Beacon[]): Promise<Opened[]> {
  const views = flat(beacons, ({ views }) => views)
  const activities = flat(beacons, ({ activities }) => activities)
  const errors = flat(beacons, ({ errors }) => errors)
  const parts = [
    openRequests(beacons),
    touched,
    ...(views.length > 0 ? [viewsPart(views), ...progressPart(views)] : []),
    ...(activities.length > 0 ? [activitiesPart(activities)] : []),
    ...(errors.length > 0 ? [errorsPart(errors)] : []),
  ]
  const statement = sql<{ n: string; fresh: boolean }>`with ${sql.join(parts)} select n, fresh from open`
  const rows = await prepared(db, pool, statement)
  return openedOf(beacons, rows)
}

type Placed<Row> = Row & { n: number }

function flat<Row>(beacons: readonly Beacon[], rowsOf: (beacon: Beacon) => readonly Row[]): Placed<Row>[] {
  return beacons.flatMap((beacon, at) => rowsOf(beacon).map((row) => ({ ...row, n: at + 1 })))
}

const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[Key][] => rows.map((row) => row[key])

function viewsPart(rows: readonly Placed<ViewRow>[]) {
  return sql`views as (
    insert into page_views (id, session_key, url, title, step, referrer, seconds, scroll_depth, interactions, ended_at)
    select distinct on (v.id) v.id, open.key, v.url, v.title, v.step, v.referrer, v.seconds, v.depth, v.interactions,
      case when v.seconds is not null then now() end
    from unnest(${column(rows, 'n')}::int[], ${column(rows, 'id')}::uuid[], ${column(rows, 'url')}::text[],
      ${column(rows, 'title')}::text[], ${column(rows, 'step')}::text[], ${column(rows, 'referrer')}::text[],
      ${column(rows, 'seconds')}::int[], ${column(rows, 'depth')}::smallint[], ${column(rows, 'interactions')}::int[])
      as v(n, id, url, title, step, referrer, seconds, depth, interactions)
    join open on open.n = v.n
    order by v.id, v.seconds desc nulls last
    on conflict (id) do update set
      seconds = greatest(page_views.seconds, excluded.seconds),
      scroll_depth = greatest(page_views.scroll_depth, excluded.scroll_depth),
      interactions = greatest(page_views.interactions, excluded.interactions),
      ended_at = coalesce(excluded.ended_at, page_views.ended_at)
    where page_views.session_key = excluded.session_key
  )`
}

/** The furthest step of each session, written only when it grew: a row that is only looked at is not locked either. */
function progressPart(all: readonly Placed<ViewRow>[]) {
  const rows = all.filter(({ place }) => place !== null)
  if (rows.length === 0) return []
  return [
    sql`progress as (
      insert into session_progress (session_key, furthest)
      select reached.key, reached.furthest from (
        select open.key, max(v.place) as furthest
        from unnest(${column(rows, 'n')}::int[], ${column(rows, 'place')}::smallint[]) as v(n, place)
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

function activitiesPart(rows: readonly Placed<ActivityRow>[]) {
  return sql`acts as (
    insert into activities (id, session_key, type, data, page_url, page_title, duration)
    select distinct on (v.id) v.id, open.key, v.type, v.data, v.url, v.title, v.duration
    from unnest(${column(rows, 'n')}::int[], ${column(rows, 'id')}::uuid[], ${column(rows, 'type')}::text[],
      ${column(rows, 'data')}::jsonb[], ${column(rows, 'url')}::text[], ${column(rows, 'title')}::text[],
      ${column(rows, 'duration')}::int[]) as v(n, id, type, data, url, title, duration)
    join open on open.n = v.n
    order by v.id
    on conflict (id) do nothing
  )`
}

/** One row a session and fingerprint, one group a fingerprint with how often and when. */
function errorsPart(rows: readonly Placed<ErrorRow>[]) {
  return sql`mine as materialized (
    select distinct on (v.id) v.id, open.key, v.type, v.message, v.stack, v.url, v.agent, v.fingerprint
    from unnest(${column(rows, 'n')}::int[], ${column(rows, 'id')}::uuid[], ${column(rows, 'type')}::text[],
      ${column(rows, 'message')}::text[], ${column(rows, 'stack')}::text[], ${column(rows, 'url')}::text[],
      ${column(rows, 'userAgent')}::text[], ${column(rows, 'fingerprint')}::text[])
      as v(n, id, type, message, stack, url, agent, fingerprint)
    join open on open.n = v.n
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

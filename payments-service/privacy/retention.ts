import { type RawBuilder, sql } from 'kysely'
import { ATTRIBUTION_DAYS } from '../../contract/attribution.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { GoOn } from '../jobs/loop.ts'
import { eraseVisitor } from './erase.ts'
import { forgetOldGivenUp, isErased, NOTHING, PAST } from '../erasures/erased.queries.ts'

type Sql = RawBuilder<unknown>

/** "Visits without an order: at most 12 months": the privacy page's promise (G-01). */
export const VISIT_MONTHS = 12
/** Visits per round, which are erased one after the other. */
const ROUND = 500
/** Events emptied by one statement, or visits or payments whose clicks it forgets. */
const ROWS = 1_000

/** How far back is looked: of what is older than the bookmark, nothing is left to forget. */
const markOf = (name: string) => sql`coalesce((select at from bookmarks where name = ${sql.lit(name)}), '-infinity')`

/** Moves a bookmark to the `first` that is left, else to `past`: what is before it is not read again. */
async function moveMark(db: Database, name: string, past: Sql, first: Sql): Promise<void> {
  await sql`insert into bookmarks (name, at) select ${name}, least(${past}, (${first})) - interval '1 day'
    on conflict (name) do update set at = excluded.at`.execute(db)
}

const VISITS = 'old_visits'
/** Visits that began before this are a year old. */
const lived = sql`now() - make_interval(months => ${sql.lit(VISIT_MONTHS)})`

/** A year old, never paid, not erased. */
const past = sql<boolean>`s.payment_status = 'unpaid' and s.created_at >= ${markOf(VISITS)} and s.created_at < ${lived}
  and not exists (select from payments p where p.session_id = s.id)
  and not exists (select from erasures e where e.session_id = s.id)`

/** D-12: erases the visits that never paid, a year after they began. Returns how many. */
export async function forgetOldVisits(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  goOn: GoOn = () => true,
  atOnce = ROUND,
): Promise<number> {
  let erased = 0
  // one that cannot be erased yet is passed by until the next time
  let after = sql``
  for (let round = atOnce; round === atOnce && goOn();) {
    const { rows } = await sql<{ id: string; at: string }>`
      select s.id, s.created_at::text as at from sessions s
      where ${past} ${after}
        -- somebody who is at it right now ends first
        and s.last_activity_at < now() - interval '1 day'
      order by s.created_at, s.id limit ${atOnce}`.execute(db)
    round = rows.length
    const last = rows.at(-1)
    after = sql`and (s.created_at, s.id) > (${last?.at}::timestamptz, ${last?.id}::uuid)`
    for (const { id } of rows) {
      if (!goOn()) break
      try {
        erased += (await eraseVisitor(db, { who: id, visits: [id] })).sessions
      } catch (error) {
        // no error if another replica was faster
        if (!(await isErased(db, id))) log.error({ err: error }, 'a visit past its time was not erased')
      }
    }
  }
  await moveMark(db, VISITS, lived, sql`select min(s.created_at) from sessions s where ${past}`)
  return erased
}

const CONTENTS = 'old_contents'
const old = sql<boolean>`received_at >= ${markOf(CONTENTS)} and received_at < ${PAST} and handled_at is not null
  and payload <> ${NOTHING}`

/**
 * D-12: empties events, handled or given up, once their content is past its days; the rows stay, so that none is
 * handled twice. Returns how many it emptied.
 */
export async function forgetOldContents({ db }: Pick<Deps, 'db'>, goOn: GoOn = () => true): Promise<number> {
  let emptied = await forgetOldGivenUp(db)
  for (let round = ROWS; round === ROWS && goOn(); emptied += round) {
    const { rows } = await sql`update webhook_events set payload = ${NOTHING} where id in (
      select id from webhook_events where ${old} order by received_at limit ${ROWS}) returning id`.execute(db)
    round = rows.length
  }
  await moveMark(db, CONTENTS, PAST, sql`select min(received_at) from webhook_events where ${old}`)
  return emptied
}

const withoutQuery = (url: Sql) => sql`split_part(${url}, '?', 1)`
/** A first or last touch without the id of the click: its campaign stays. */
const touchOnly = (touch: Sql) =>
  sql`jsonb_strip_nulls(${touch} - 'fbclid' || jsonb_build_object('url', ${withoutQuery(sql`${touch} ->> 'url'`)}))`
const touchIn = (name: string) => touchOnly(sql`(attribution -> ${sql.lit(name)})`)

/** Where clicks are kept, by which time they end, and what of each column stays. */
const CLICKS = [
  {
    table: 'session_metadata',
    key: 'session_id',
    at: 'updated_at',
    kept: {
      // empty, not null: the numbers by source count the visit as Facebook's still
      fbclid: sql`left(fbclid, 0)`,
      fbc: sql`null`,
      fbp: sql`null`,
      referer: withoutQuery(sql`referer`),
      first_touch: touchOnly(sql`first_touch`),
      last_touch: touchOnly(sql`last_touch`),
    },
  },
  {
    table: 'payments',
    key: 'id',
    at: 'created_at',
    kept: {
      attribution: sql`jsonb_strip_nulls(attribution - 'fbc' - 'fbp'
        || jsonb_build_object('first', ${touchIn('first')}, 'last', ${touchIn('last')}))`,
    },
  },
]
/** Conversions are reported for seven days; no click is needed after the days that it is kept in the browser. */
const clicked = sql`now() - make_interval(days => ${sql.lit(ATTRIBUTION_DAYS)})`

/** D-12, L-06: forgets the ids of clicks on ads, and Meta's own. Campaigns stay. Returns in how many rows it did. */
export async function forgetOldClicks({ db }: Pick<Deps, 'db'>, goOn: GoOn = () => true): Promise<number> {
  let forgotten = 0
  for (const { table, key, at, kept } of CLICKS) {
    const [id, time] = [sql.ref(key), sql.ref(at)]
    const pairs = Object.entries<Sql>(kept)
    const anyOf = pairs.map(([column, what]) => sql`${sql.ref(column)} is distinct from ${what}`)
    const mark = `old_clicks:${table}`
    const past = sql`${time} >= ${markOf(mark)} and ${time} < ${clicked} and (${sql.join(anyOf, sql` or `)})`
    const changes = sql.join(pairs.map(([column, what]) => sql`${sql.ref(column)} = ${what}`))
    for (let round = ROWS; round === ROWS && goOn(); forgotten += round) {
      const { rows } = await sql`update ${sql.table(table)} set ${changes} where ${id} in (
        select ${id} from ${sql.table(table)} where ${past} limit ${ROWS} for update) returning 1`.execute(db)
      round = rows.length
    }
    await moveMark(db, mark, clicked, sql`select min(${time}) from ${sql.table(table)} where ${past}`)
  }
  return forgotten
}

import { type RawBuilder, sql } from 'kysely'
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
/** Events emptied by one statement. */
const EVENTS = 1_000

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
  for (let round = EVENTS; round === EVENTS && goOn(); emptied += round) {
    const { rows } = await sql`update webhook_events set payload = ${NOTHING} where id in (
      select id from webhook_events where ${old} order by received_at limit ${EVENTS}) returning id`.execute(db)
    round = rows.length
  }
  await moveMark(db, CONTENTS, PAST, sql`select min(received_at) from webhook_events where ${old}`)
  return emptied
}

import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { GoOn } from '../jobs/loop.ts'
import { eraseVisitor } from './erase.ts'
import { isErased } from '../erasures/erased.queries.ts'

/** "Visits without an order: at most 12 months": the privacy page's promise (G-01). */
export const VISIT_MONTHS = 12
/** Visits per round, which are erased one after the other. */
const ROUND = 500

/** How far back visits are looked at: of those that began before it, none is left to erase. */
const MARK = 'old_visits'
const mark = sql`coalesce((select at from bookmarks where name = ${sql.lit(MARK)}), '-infinity')`

/** A year old, never paid, not erased. */
const past = sql<boolean>`s.payment_status = 'unpaid' and s.created_at >= ${mark}
  and s.created_at < now() - make_interval(months => ${sql.lit(VISIT_MONTHS)})
  and not exists (select from payments p where p.session_id = s.id)
  and not exists (select from erasures e where e.session_id = s.id)`

/** D-12: erases the visits that never paid, a year after they began. Returns how many. */
export async function forgetOldVisits({ db, log }: Pick<Deps, 'db' | 'log'>, goOn: GoOn = () => true): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sessions s
    -- somebody who is at it right now ends first
    where ${past} and s.last_activity_at < now() - interval '1 day'
    order by s.created_at limit ${ROUND}`.execute(db)
  let erased = 0
  for (const { id } of rows) {
    if (!goOn()) break
    try {
      erased += (await eraseVisitor(db, { who: id, visits: [id] })).sessions
    } catch (error) {
      // no error if another replica was faster
      if (!(await isErased(db, id))) log.error({ err: error, sessionId: id }, 'a visit past its time was not erased')
    }
  }
  await moveMark(db)
  return erased
}

/** To the first that is left, else to a year ago: the visits before it are not read again. */
async function moveMark(db: Database): Promise<void> {
  await sql`insert into bookmarks (name, at)
    select ${MARK}, least(now() - make_interval(months => ${VISIT_MONTHS}), min(s.created_at)) - interval '1 day'
    from sessions s where ${past}
    on conflict (name) do update set at = excluded.at`.execute(db)
}

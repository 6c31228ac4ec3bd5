import { sql } from 'kysely'
import { dropMonths, makeMonths } from '../../db/event-partitions.ts'
import type { Deps } from '../deps.ts'
import type { GoOn } from '../jobs/loop.ts'
import { isBeingDecided } from '../sessions/sessions.queries.ts'

/**
 * D-09: abandoned = checkout opened, unpaid and inactive for 30 minutes, or an exit intent without payment. A session
 * with a payment under way is not abandoned, and a later payment makes it converted (settle). Returns how many were
 * marked.
 */
export async function markAbandoned({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { rows } = await sql`
    update sessions set conversion_status = 'abandoned', abandoned_at = now()
    where id in (
      select s.id from sessions s
      where s.checkout_opened_at is not null and s.conversion_status is null and s.payment_status = 'unpaid'
        and (s.last_activity_at < now() - interval '30 minutes' or s.exit_intent_at is not null)
        and not ${isBeingDecided}
      limit 500 for no key update skip locked
    )
    returning id`.execute(db)
  return rows.length
}

/** The first day of what is kept of page views and all that is counted of them. */
const keptSince = ({ eventRetentionMonths }: Deps['config']) =>
  sql<Date>`(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${eventRetentionMonths}))::date`

/**
 * Creates the event tables' partitions for the coming months, and drops those past the retention setting, as well as
 * old rows of the operators' trail. Throws where another's transaction is in the way; the next round is a minute later.
 */
export async function keepPartitions({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  await makeMonths(db)
  await dropMonths(db, keptSince(config))
  await sql`delete from operator_trail where at < ${keptSince(config)}`.execute(db)
}

/** Numbers by day that are kept as long as the events they count. */
export const COUNTS = ['step_counts', 'answer_counts', 'page_counts'] as const

/** Deletes the numbers past the retention setting, a day at a time: a whole month takes longer than a statement may. */
export async function forgetOldCounts(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  counts: (typeof COUNTS)[number],
  goOn: GoOn = () => true,
): Promise<void> {
  const table = sql.table(counts)
  for (let deleted = 1n; deleted > 0n && goOn();) {
    const { numAffectedRows } = await sql`delete from ${table} where day = (
      select min(day) from ${table} where day < ${keptSince(config)})`.execute(db)
    deleted = numAffectedRows ?? 0n
  }
}

/** Updates the counts of the funnel, its steps, their answers and its pages. The cost depends on what has changed. */
export async function refreshFunnel({ db }: Pick<Deps, 'db'>): Promise<void> {
  await sql`select refresh_funnel()`.execute(db)
  await sql`select refresh_steps()`.execute(db)
  await sql`select count_answers()`.execute(db)
  await sql`select count_pages()`.execute(db)
}

/** Deletes expired counters of the limits. */
export async function forgetOldCounters({ db }: Deps): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<', String(Date.now())).execute()
}

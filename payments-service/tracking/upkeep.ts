import { sql } from 'kysely'
import { dropMonths, makeMonths } from '../../db/event-partitions.ts'
import type { Deps } from '../deps.ts'

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
        and not exists (select 1 from payment_intents i where i.session_id = s.id and i.closed_at is null
          and i.status in ('processing', 'requires_capture'))
      limit 500 for no key update skip locked
    )
    returning id`.execute(db)
  return rows.length
}

/**
 * Creates the event tables' partitions for the coming months, and drops those past the retention setting, as well as
 * old rows of the operators' trail. Throws where another's transaction is in the way; the next round is a minute later.
 */
export async function keepPartitions({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  await makeMonths(db)
  const before = sql<Date>`(date_trunc('month', now() at time zone 'UTC') - make_interval(months =>
    ${config.eventRetentionMonths}))::date`
  await dropMonths(db, before)
  await sql`delete from operator_trail where at < ${before}`.execute(db)
  await sql`delete from step_counts where day < ${before}`.execute(db)
  await sql`delete from answer_counts where day < ${before}`.execute(db)
  await sql`delete from page_counts where day < ${before}`.execute(db)
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

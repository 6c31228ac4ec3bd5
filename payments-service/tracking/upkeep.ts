import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/**
 * D-09: abandoned = checkout opened, unpaid and nothing heard for 30 minutes, or an exit intent without payment. A
 * payment under way is no abandonment, and a later one turns it to converted (settle). Returns how many.
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
 * The coming months of the event tables, and the end of those, and of the operators' trail, past the retention setting.
 */
export async function keepPartitions({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  await sql`select ensure_event_partitions((now() at time zone 'UTC')::date, 3)`.execute(db)
  const before = sql`(date_trunc('month', now() at time zone 'UTC') - make_interval(months =>
    ${config.eventRetentionMonths}))::date`
  await sql`select drop_event_partitions(${before})`.execute(db)
  await sql`delete from operator_trail where at < ${before}`.execute(db)
}

/** The funnel's counts as of now. Costs by what changed since the last time. */
export async function refreshFunnel({ db }: Pick<Deps, 'db'>): Promise<void> {
  await sql`select refresh_funnel()`.execute(db)
}

/** Counters of the limits that are over. */
export async function forgetOldCounters({ db }: Deps): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<', String(Date.now())).execute()
}

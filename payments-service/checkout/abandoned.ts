import { sql } from 'kysely'
import { parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { abandonedReminder } from '../jobs/schedule.ts'
import { wantsOffers } from '../sessions/consents.queries.ts'
import { isBeingDecided } from '../sessions/sessions.queries.ts'

const BATCH = 100

/**
 * C-11: queues one reminder for an abandoned checkout (D-09) when it is due, only if the visitor agreed to marketing
 * with an order that did not go through. Who has come back may be paying: the hour begins again when they leave. At
 * most one per session ever, and one per address and week, however many visits it abandons; whether it is still wanted
 * is checked again when it is written (notices/abandoned.ts). Resolves to how many were queued.
 */
export async function remindAbandoned({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { rows } = await sql<{
    id: string
    email: string
    quiet_since: Date
  }>`
    select s.id, s.email, greatest(s.abandoned_at, s.last_activity_at) as quiet_since from sessions s
    where s.conversion_status = 'abandoned' and s.payment_status = 'unpaid' and s.email is not null
      and s.abandoned_at > now() - interval '2 days'
      and greatest(s.abandoned_at, s.last_activity_at) < now() - interval '1 hour'
      and ${wantsOffers}
      and not ${isBeingDecided}
      and not exists (select 1 from outbox o where o.dedupe_key = 'mail:abandoned_checkout:' || s.id)
      and not exists (
        select 1 from outbox o join sessions other on other.id = o.session_id
        where o.dedupe_key like 'mail:abandoned_checkout:%' and o.created_at > now() - interval '7 days'
          and lower(other.email) = lower(s.email)
      )
    order by s.abandoned_at limit ${BATCH}`.execute(db)
  let queued = 0
  const told = new Set<string>()
  for (const { id, email, quiet_since } of rows) {
    const to = parseEmail(email)
    if (!to || told.has(to.toLowerCase())) continue
    told.add(to.toLowerCase())
    const entry = { kind: 'mail:abandoned_checkout', reason: id, sessionId: id, payload: { to } } as const
    if (await enqueue(db, { ...entry, ...abandonedReminder(quiet_since) })) queued += 1
  }
  return queued
}

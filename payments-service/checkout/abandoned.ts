import { sql } from 'kysely'
import { DEFAULT_TRIAL, trialByPrice } from '../../contract/catalogue.ts'
import { parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queue.ts'
import { abandonedReminder } from '../mail/schedule.ts'
import { mailLink, newNonce } from '../mail/mailed-links.ts'

/** Days in which the reminder's link opens the checkout again. */
const LINK_DAYS = 7
const BATCH = 100

/**
 * Issue 7, C-11: one reminder for a checkout that was abandoned (D-09), only where the visitor agreed to
 * marketing with an order that did not go through. One a session for good, and one a week for an address, however
 * many visits it abandons; asked again before it is sent whether it is still wanted (notices/sending.ts).
 * Resolves to how many were queued.
 */
export async function remindAbandoned({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<number> {
  const { rows } = await sql<{
    id: string
    email: string
    name: string | null
    price: number | null
    timezone: string | null
    abandoned_at: Date
  }>`
    select s.id, s.email, s.name, s.selected_price_cents as price, m.timezone, s.abandoned_at
    from sessions s left join session_metadata m on m.session_id = s.id
    where s.conversion_status = 'abandoned' and s.payment_status = 'unpaid' and s.email is not null
      and s.abandoned_at > now() - interval '2 days'
      and (select c.granted from consents c where c.session_id = s.id and c.kind = 'marketing' order by c.id desc limit 1)
      and not exists (select 1 from outbox o where o.dedupe_key = 'mail:abandoned_checkout:' || s.id)
      and not exists (
        select 1 from outbox o join sessions other on other.id = o.session_id
        where o.dedupe_key like 'mail:abandoned_checkout:%' and o.created_at > now() - interval '7 days'
          and lower(other.email) = lower(s.email)
      )
    order by s.abandoned_at limit ${BATCH}`.execute(db)
  let queued = 0
  const told = new Set<string>()
  for (const { id, email, name, price, timezone, abandoned_at } of rows) {
    const to = parseEmail(email)
    if (!to || told.has(to.toLowerCase())) continue
    told.add(to.toLowerCase())
    const { sendAt, notAfter } = abandonedReminder(abandoned_at)
    const expiresAt = new Date(sendAt.getTime() + LINK_DAYS * 86_400_000)
    const isNew = await queueMail(
      db,
      {
        kind: 'abandoned_checkout',
        to,
        data: {
          name,
          timeZone: timezone,
          productId: (price === null ? undefined : trialByPrice(price)) ?? DEFAULT_TRIAL,
          // each link opens a browser once
          resumeUrl: mailLink(config, 'resume', { subject: id, to, expiresAt, nonce: newNonce() }),
          expiresAt: expiresAt.toISOString(),
          unsubscribeUrl: mailLink(config, 'unsubscribe', { subject: id, to }),
        },
      },
      id,
      { sessionId: id, sendAt, notAfter },
    )
    if (isNew) queued += 1
  }
  return queued
}

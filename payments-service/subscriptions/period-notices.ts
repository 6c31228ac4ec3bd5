/**
 * Mails that the time of a running subscription sets off, by its own clock: each period that begins at Stripe is looked
 * at once, so that a mail is never later than its day, whatever this machine's clock says.
 */
import { appliesIn, reminderMonths } from '../../contract/duties/table.ts'
import { WITHDRAWAL_DAYS } from '../../contract/members.ts'
import { monthsAhead } from '../../contract/terms.ts'
import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import type { OutboxEntry } from '../jobs/outbox.queries.ts'
import { isLeaving, type NextCharge, type SubscriptionRow } from '../payments/subscriptions.queries.ts'
import type { Subscription } from '../stripe/objects.ts'
import { meaningOf } from '../stripe/subscription-status.ts'

/** The latest day on which a reminder is due, every so many months after `since`, before `end`; null: none yet. */
export function reminderDue(since: Date, end: Date, months: number): Date | null {
  let due: Date | null = null
  for (let count = 1; ; count++) {
    const at = monthsAhead(since, count * months)
    if (at >= end) return due
    due = at
  }
}

/** The notices of the period that has begun; each is queued once, however often the period is looked at. */
export async function periodNotices(
  tx: Database,
  row: Pick<SubscriptionRow, 'id' | 'session_id'>,
  now: Subscription,
  next: NextCharge | null,
): Promise<OutboxEntry[]> {
  const { status, periodStart, periodEnd, trialEnd, created } = now
  const runs = status !== 'trialing' && meaningOf(status).renews && !isLeaving(now) && next !== null
  if (!runs || !periodStart || !periodEnd) return []
  const place = await tx
    .selectFrom('session_metadata')
    .select('country')
    .where('session_id', '=', row.session_id)
    .executeTakeFirst()
  const country = place?.country ?? ''
  const due = reminderDue(created, periodEnd, reminderMonths(country, periodStart))
  const common = { sessionId: row.session_id }
  const notices: OutboxEntry[] = []
  if (due) {
    notices.push({
      ...common,
      kind: 'mail:yearly_reminder',
      reason: `${now.id}:${due.toISOString().slice(0, 10)}`,
      payload: { subscription: row.id, since: created },
    })
  }
  if (trialEnd && trialEnd <= periodStart && appliesIn('cooling_off', country, trialEnd)) {
    const until = new Date(trialEnd.getTime() + WITHDRAWAL_DAYS * DAY)
    notices.push({
      ...common,
      kind: 'mail:second_withdrawal',
      reason: now.id,
      payload: { subscription: row.id, from: trialEnd, until },
      notAfter: until,
    })
  }
  return notices
}

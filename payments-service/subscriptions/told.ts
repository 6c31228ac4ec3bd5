/** Mails that follow from a change of a subscription, queued in the transaction that records it. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { WAS_SET_ASIDE } from '../jobs/given-up.queries.ts'
import { MAIL_SENT, type OutboxEntry } from '../jobs/outbox.queries.ts'
import { trialReminder } from '../jobs/schedule.ts'
import type { Subscription } from '../stripe/objects.ts'
import type { SubscriptionRow, NextCharge } from '../payments/subscriptions.queries.ts'

/**
 * A-06: the reminder of the first full charge, one while it waits or was the last one sent; what is outdated when it is
 * due is not sent. None for a trial that was ended before it began, nor for a bill from before a trial that is tried
 * again in it.
 */
export async function reminder(
  tx: Database,
  sessionId: string,
  subscription: Subscription,
  next: NextCharge,
): Promise<OutboxEntry[]> {
  const { id, created, metadata, trialEnd } = subscription
  if (next.at <= created || (trialEnd && next.at < trialEnd)) return []
  const reason = `${id}:${next.at.getTime() / 1000}:${next.amount}`
  const { known, done } = await reminded(tx, sessionId, id, reason)
  if (known) return []
  return [
    {
      kind: 'mail:trial_ends',
      // the same charge again, after its reminder was dropped or another was named, is reminded of again
      reason: done ? `${reason}:${done}` : reason,
      sessionId,
      payload: { productId: metadata['product_id'], chargeAt: next.at, amount: next.amount },
      ...trialReminder(created, next.at),
    },
  ]
}

/**
 * Whether the reminder of a charge waits or was the last one sent for its subscription, and how many of it are
 * finished; as in price-change.ts, not one that was set aside.
 */
async function reminded(tx: Database, sessionId: string, id: string, reason: string) {
  const all = `mail:trial_ends:${id}:`
  const wanted = `mail:trial_ends:${reason}`
  const same = sql`(dedupe_key = ${wanted} or starts_with(dedupe_key, ${`${wanted}:`}))`
  const { rows } = await sql<{ known: boolean; done: number }>`
    select coalesce(bool_or(sent_at is null and ${same}), false)
        or coalesce((array_agg(${same} order by sent_at desc) filter (where ${MAIL_SENT}))[1], false) as known,
      (count(*) filter (where sent_at is not null and not ${WAS_SET_ASIDE} and ${same}))::int as done
    from outbox where session_id = ${sessionId} and kind = 'mail:trial_ends'
      and starts_with(dedupe_key, ${all})`.execute(tx)
  return rows[0] ?? { known: false, done: 0 }
}

/** H-04: one per change of the row: cancelling, keeping and cancelling again within a second sends three mails. */
export function cancellationConfirmed(row: SubscriptionRow, now: Subscription): OutboxEntry {
  return {
    kind: 'mail:cancellation_confirmed',
    reason: `${now.id}:${row.version}`,
    sessionId: row.session_id,
    payload: {
      canceledAt: row.cancel_requested_at ?? now.canceledAt ?? new Date(),
      accessUntil: now.cancelAt ?? now.periodEnd,
    },
  }
}

/** The counterpart: the cancellation was taken back. */
export function cancellationUndone(row: SubscriptionRow, now: Subscription, next: NextCharge | null): OutboxEntry {
  return {
    kind: 'mail:cancellation_undone',
    reason: `${now.id}:${row.version}`,
    sessionId: row.session_id,
    // for a replica of the release before, which does not read the row when it sends this
    payload: { nextChargeAt: next?.at ?? null, amount: next?.amount ?? null, price: next?.price ?? null },
  }
}

/**
 * P-12, H-04: the mail about the end of access, after all tries of a charge failed or because it was cancelled.
 * `dropped`: cents that were about to be charged when it was cancelled, and are not.
 */
export function accessEnded(row: SubscriptionRow, now: Subscription, dropped: number | null): OutboxEntry | undefined {
  const closed = now.status === 'unpaid' && row.status !== 'unpaid'
  // no second mail when Stripe ends one that is unpaid already, unless its buyer has asked for the end
  const told = row.status === 'unpaid' && row.cancel_requested_at === null
  const over = now.status === 'canceled' && row.status !== 'canceled' && !told
  if (!closed && !over) return undefined
  return {
    kind: 'mail:access_ended',
    reason: closed ? `${now.id}:unpaid:${now.latestInvoiceId ?? ''}` : now.id,
    sessionId: row.session_id,
    payload: {
      subscriptionId: now.id,
      reason: closed || now.endedFor === 'payment_failed' ? 'payment_failed' : 'cancelled',
      // Stripe names a cancellation in its dashboard like one of ours
      asked: row.cancel_requested_at !== null,
      endedAt: now.endedAt ?? now.canceledAt ?? new Date(),
      dropped,
    },
  }
}

/** Mails that follow from a change of a subscription, queued in the transaction that records it. */
import type { OutboxEntry } from '../jobs/outbox.queries.ts'
import { trialReminder } from '../jobs/schedule.ts'
import type { Subscription } from '../stripe/objects.ts'
import type { SubscriptionRow, NextCharge } from '../payments/subscriptions.queries.ts'

/**
 * the reminder of the first full charge, once for each date and amount; what is outdated when it is due is not
 * sent. None for a trial that was ended before it began, nor for a bill from before a trial that is tried again in it.
 */
export function reminder(sessionId: string, subscription: Subscription, next: NextCharge): OutboxEntry[] {
  const { id, created, metadata, trialEnd } = subscription
  if (next.at <= created || (trialEnd && next.at < trialEnd)) return []
  return [
    {
      kind: 'mail:trial_ends',
      reason: `${id}:${next.at.getTime() / 1000}:${next.amount}`,
      sessionId,
      payload: { productId: metadata['product_id'], chargeAt: next.at, amount: next.amount },
      ...trialReminder(created, next.at),
    },
  ]
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

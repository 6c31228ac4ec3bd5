/** A subscription's row as its owner sees it. Pure functions. */
import type { SubscriptionView } from '../../contract/members.ts'
import { ORDERED_PERIOD, type Period, PERIOD_UNITS } from '../../contract/period.ts'
import { collectedAt, isLastCutShort } from '../../contract/terms.ts'
import { isRowLeaving, type SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { meaningOf } from '../stripe/subscription-status.ts'

type Stated = Pick<
  SubscriptionRow,
  | 'status'
  | 'cancel_at_period_end'
  | 'cancel_at'
  | 'current_period_end'
  | 'cancel_requested_at'
  | 'cancel_done_at'
  | 'collection_paused'
>

/** The state of a subscription as its owner sees it. */
export function stateOf(row: Stated): SubscriptionView['state'] {
  const { state, over } = meaningOf(row.status)
  if (over) return 'ended'
  if (row.cancel_requested_at && !row.cancel_done_at) return 'cancelling'
  if (state !== 'trial' && state !== 'active') return state
  if (isRowLeaving(row)) return 'ending'
  return row.collection_paused ? 'paused' : state
}

/** Whether it ends by itself, at a time that is set. Also one whose last charge failed: its state says that instead. */
export const isEnding = (row: Stated): boolean => isRowLeaving(row) && !['cancelling', 'ended'].includes(stateOf(row))

/** Whether it goes on no more, or only to the end of its period. */
export const isCancelled = (row: Stated): boolean => isEnding(row) || ['cancelling', 'ended'].includes(stateOf(row))

/** How often it is charged: as Stripe said at the last read, before that as it was ordered. */
export function periodOf(row: Pick<SubscriptionRow, 'period_unit' | 'period_count'> | null): Period {
  const unit = PERIOD_UNITS.find((one) => one === row?.period_unit)
  return unit && row?.period_count ? { unit, count: row.period_count } : ORDERED_PERIOD
}

/** The end of the current period; during a trial, the trial's end. */
export function periodEnd(row: SubscriptionRow): Date | null {
  return row.status === 'trialing' ? (row.trial_end ?? row.current_period_end) : row.current_period_end
}

/** When the period after the one that is owed is charged, however late the debt is paid. */
export function chargeAfterOwed(row: SubscriptionRow): Date | null {
  const renews = meaningOf(row.status).owed && stateOf(row) !== 'cancelling' && !row.collection_paused
  if (!renews || !row.current_period_end || isRowLeaving(row)) return null
  return collectedAt(row.current_period_end)
}

/** Whether the day on which it ends by itself cuts a later period short. */
export function isCutShort(row: SubscriptionRow): boolean {
  const from = periodEnd(row)
  return !!row.cancel_at && !!from && isLastCutShort(row.cancel_at, from, periodOf(row))
}

/**
 * Whether the next charge is for the period that has begun already: Stripe collects it about an hour after its start.
 */
export function isCollecting({ status, next_charge_at, current_period_end }: SubscriptionRow): boolean {
  return status === 'active' && !!next_charge_at && !!current_period_end && next_charge_at < current_period_end
}

/** The charge that Stripe will make next; null where none is planned or it was cancelled. */
export function nextChargeOf(row: SubscriptionRow): SubscriptionView['nextCharge'] {
  const { next_charge_cents: amount, next_charge_at: at } = row
  if (amount === null || !at || stateOf(row) === 'cancelling') return null
  return { amount, at: at.toISOString() }
}

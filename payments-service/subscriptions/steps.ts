/**
 * H-04: each step of ours that ends a subscription with its period, or lets it go on, names at Stripe the cancellation
 * that it is for. A step whose process was held up or died may come after the buyer has thought otherwise; the next
 * read recognises it, in whichever program.
 */
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import type { Subscription } from '../stripe/objects.ts'
import { isOver } from '../stripe/subscription-status.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'

/** The metadata of a subscription that names the last step. */
const STEP = 'cancellation'

/**
 * Lets a subscription end with its paid period, or go on. `asked`: when the cancellation that this carries out, or
 * takes back, was received.
 */
export function endWithPeriod(
  { stripe }: Pick<Deps, 'stripe'>,
  id: string,
  ends: boolean,
  asked: Date | null,
  by: Deadline | undefined,
): Promise<Subscription> {
  const step = `${ends ? 'end' : 'keep'} ${asked?.toISOString() ?? 'none'}`
  return stripe.cancelAtPeriodEnd(id, ends, { [STEP]: step }, by)
}

/** The cancellation that Stripe's state is for; undefined where the state is not of that kind, or no step of ours. */
function askedOf({ metadata, cancelAtPeriodEnd }: Subscription, ends: boolean): number | undefined {
  const [kind, asked = ''] = (metadata[STEP] ?? '').split(' ')
  if (kind !== (ends ? 'end' : 'keep') || cancelAtPeriodEnd !== ends) return undefined
  return Date.parse(asked) || 0
}

/** It ends for a cancellation that was taken back since: the step has to be taken back, too. */
export function endsForNobody(row: SubscriptionRow, subscription: Subscription): boolean {
  const asked = askedOf(subscription, true)
  const { cancel_requested_at, cancel_taken_back } = row
  // one that is over cannot go on
  if (asked === undefined || cancel_requested_at || isOver(subscription.status)) return false
  return asked <= (cancel_taken_back?.getTime() ?? -1)
}

/** The latest cancellation that a step of ours took back. One lifted in the dashboard may be set there again. */
export function takenBack(row: SubscriptionRow, subscription: Subscription): Date | null {
  const { cancel_requested_at: asked, cancel_taken_back: before } = row
  if (!asked || askedOf(subscription, false) === undefined) return before
  return before && before > asked ? before : asked
}

/** It goes on for a cancellation that was taken back, while another one, carried out already, stands. */
export function goesOnForAnother({ cancel_requested_at }: SubscriptionRow, subscription: Subscription): boolean {
  const kept = askedOf(subscription, false)
  return kept !== undefined && cancel_requested_at !== null && kept !== cancel_requested_at.getTime()
}

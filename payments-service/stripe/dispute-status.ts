import type Stripe from 'stripe'
import type { Named } from './intent-status.ts'

export type DisputeStatus = Named<Stripe.Dispute['status']>

/** none: no money has moved. held: the bank keeps it until it decides. taken: the bank gave it to the buyer. */
type DisputeEffect = 'none' | 'held' | 'taken'

const EFFECTS: Readonly<Record<DisputeStatus, DisputeEffect>> = {
  // an inquiry: the bank asks
  warning_needs_response: 'none',
  warning_under_review: 'none',
  warning_closed: 'none',
  // stopped before it was filed; a refund by the network is a refund of the charge
  prevented: 'none',
  won: 'none',
  needs_response: 'held',
  under_review: 'held',
  // only a lost dispute can be appealed, and the money stays away until the appeal is won
  appeal_needs_response: 'taken',
  appeal_under_review: 'taken',
  lost: 'taken',
}

/**
 * What a dispute does to the money of its charge (docs.stripe.com/disputes/how-disputes-work). An unknown status of a
 * later API version counts as held: access stays, and nothing is refunded twice.
 */
export function disputeEffect(status: DisputeStatus): DisputeEffect {
  return Object.hasOwn(EFFECTS, status) ? EFFECTS[status] : 'held'
}

/** The statuses in which the bank has given the money to the buyer, for SQL: `status = any(${…})`. */
export const TAKEN = (Object.keys(EFFECTS) as DisputeStatus[]).filter((status) => EFFECTS[status] === 'taken')

import type Stripe from 'stripe'
import type { Named } from './intent-status.ts'

export type DisputeStatus = Named<Stripe.Dispute['status']>

/** none: no money has moved. held: the bank keeps it until it decides. taken: the bank gave it to the buyer. */
type DisputeEffect = 'none' | 'held' | 'taken'

/**
 * What a dispute does to the money of its charge (docs.stripe.com/disputes/how-disputes-work). An unknown status of a
 * later API version counts as held: access stays, and nothing is refunded twice.
 */
export function disputeEffect(status: DisputeStatus): DisputeEffect {
  switch (status) {
    // an inquiry: the bank asks
    case 'warning_needs_response':
    case 'warning_under_review':
    case 'warning_closed':
    // stopped before it was filed; a refund by the network is a refund of the charge
    case 'prevented':
    case 'won':
      return 'none'
    case 'needs_response':
    case 'under_review':
      return 'held'
    // only a lost dispute can be appealed, and the money stays away until the appeal is won
    case 'appeal_needs_response':
    case 'appeal_under_review':
    case 'lost':
      return 'taken'
    default: {
      const unnamed: never = status
      void unnamed
      return 'held'
    }
  }
}

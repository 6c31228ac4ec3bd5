/** The meaning of each status of a subscription: the one table for pages, mails, grants and SQL (P-12). */
import type { SubscriptionView } from '../../contract/members.ts'
import type { SubscriptionStatus } from './objects.ts'

/** Stripe's statuses, and that of a claim made before Stripe is asked. */
export type RowStatus = 'creating' | SubscriptionStatus

export interface StatusMeaning {
  /** It never charges again; its session may have another one. What Stripe calls terminal. */
  over: boolean
  /** It charges automatically, now or once it is paid: there is something to cancel. */
  live: boolean
  /** The programme is open, provided that a payment for it is still good. */
  access: boolean
  /** The next full charge comes at the end of the period, unless it is cancelled by then. */
  renews: boolean
  /** An invoice is open after a failed charge. */
  owed: boolean
  /** The state shown to its owner, while no cancellation is planned. */
  state: Exclude<SubscriptionView['state'], 'ending' | 'cancelling'>
  /** users.subscription_status, which has fewer values. */
  account: 'none' | 'trialing' | 'active' | 'past_due' | 'canceled'
}

/** https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
export const STATUS: Record<RowStatus, StatusMeaning> = {
  creating: means('starting', 'none', { live: true, access: true, renews: true }),
  // the buyer has not paid the first invoice of the monthly product, which Stripe never collects by itself
  incomplete: means('not_started', 'none', { live: true }),
  // it was not paid within 23 hours
  incomplete_expired: means('ended', 'canceled', { over: true }),
  trialing: means('trial', 'trialing', { live: true, access: true, renews: true }),
  active: means('active', 'active', { live: true, access: true, renews: true }),
  // Stripe keeps trying the card
  past_due: means('late', 'past_due', { live: true, access: true, owed: true }),
  // all tries failed; new invoices stay drafts
  unpaid: means('unpaid', 'past_due', { live: true, owed: true }),
  canceled: means('ended', 'canceled', { over: true }),
  // a trial that ended without a method; charges nothing until it is resumed by hand
  paused: means('paused', 'none', { live: true }),
}

function means(
  state: StatusMeaning['state'],
  account: StatusMeaning['account'],
  facts: Partial<Omit<StatusMeaning, 'state' | 'account'>>,
): StatusMeaning {
  return { over: false, live: false, access: false, renews: false, owed: false, ...facts, state, account }
}

/** Throws for a status that is not in the table: acting on a guess would open or close access by chance. */
export function meaningOf(status: string): StatusMeaning {
  const meaning = Object.hasOwn(STATUS, status) ? STATUS[status as RowStatus] : undefined
  if (!meaning) throw new Error(`no meaning is known for the subscription status "${status}"`)
  return meaning
}

export const isOver = (status: string): boolean => meaningOf(status).over
export const isLive = (status: string): boolean => meaningOf(status).live

/** The statuses for which a fact holds, for SQL: `status = any(${…})`. */
export function statusesWith(fact: 'over' | 'live' | 'access' | 'renews' | 'owed'): RowStatus[] {
  return (Object.keys(STATUS) as RowStatus[]).filter((status) => STATUS[status][fact])
}

/** Statuses that never charge again. The unique index `subscriptions_one_live` excludes the same ones. */
export const OVER = statusesWith('over')

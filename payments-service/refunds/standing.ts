/** The state of a charge that is owed back: a pure function of what happened to its money. Amounts are cents. */

/** One refund of a charge. `reason`: why it failed, in Stripe's word. */
export interface RefundState {
  amount: number
  state: 'pending' | 'succeeded' | 'failed'
  reason: string | null
}

interface Owed {
  /** The whole charge. */
  amount: number
  /** Refunded before this was owed. */
  before: number
  /** To be refunded in addition. */
  wanted: number
  /** Failed refunds that do not count: from before it was owed, or before an operator tried again. */
  forgiven: number
  /** Consecutive refusals by Stripe, and the code of the last one. */
  refusals: number
  refusal: string | null
}

export interface OwedStanding {
  status: 'waiting' | 'pending' | 'refunded' | 'impossible'
  /** What the bank has agreed to. */
  back: number
  /** Still to be requested, when status is waiting. */
  due: number
  /** Why it is impossible, or was asked for again: Stripe's failure reason or error code. */
  reason: string | null
}

/** Failed refunds, or refusals, before an operator has to look. */
const MOST = 3

/**
 * Whether another refund can succeed after one failed for this reason
 * (docs.stripe.com/api/refunds/object#refund_object-failure_reason). A reason that is not listed counts as unknown.
 */
const AGAIN: Readonly<Record<string, boolean>> = {
  lost_or_stolen_card: false,
  expired_or_canceled_card: false,
  charge_for_pending_refund_disputed: false,
  // an operator took it back in the dashboard
  merchant_request: false,
  // our balance at Stripe; it fills again
  insufficient_funds: true,
  declined: true,
  unknown: true,
}

/** `refunds` oldest first. `taken`: a dispute holds or has taken the money of the charge, so Stripe refuses refunds. */
export function owedStanding(owed: Owed, refunds: readonly RefundState[], taken: boolean): OwedStanding {
  const sum = (state: RefundState['state']) =>
    refunds.filter((one) => one.state === state).reduce((total, { amount }) => total + amount, 0)
  const [gone, asked] = [sum('succeeded'), sum('pending')]
  const back = Math.max(0, Math.min(owed.wanted, gone - owed.before))
  const due = Math.max(0, Math.min(owed.amount, owed.before + owed.wanted) - gone - asked)
  const failed = refunds.filter(({ state }) => state === 'failed').slice(owed.forgiven)
  const last = failed.at(-1)
  const reason = last ? (last.reason ?? 'unknown') : owed.refusal
  if (back >= owed.wanted) return { status: 'refunded', back, due: 0, reason: null }
  if (due === 0) return { status: 'pending', back, due, reason: null }
  if (taken) return { status: 'impossible', back, due, reason: 'charge_disputed' }
  const hopeless = last !== undefined && (failed.length >= MOST || !(AGAIN[reason ?? ''] ?? true))
  if (hopeless || owed.refusals >= MOST) return { status: 'impossible', back, due, reason }
  return { status: 'waiting', back, due, reason }
}

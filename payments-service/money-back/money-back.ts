import { MONEY_BACK_DAYS, MONEY_BACK_SESSIONS } from '../../contract/catalogue.ts'
import type { ExitContract } from '../../contract/exit.ts'
import { endOfDays } from '../../contract/last-day.ts'

/** One payment that may be given back. Amounts are cents. */
export interface Refundable {
  intentId: string
  purpose: string
  amount: number
  refunded: number
  settledAt: Date
  /** An earlier request covers it, or has given it back: another one does not ask for it again. */
  asked?: boolean
}

export interface Standing {
  /** Until when it may be requested; null without a payment. */
  until: Date | null
  eligible: boolean
  /** What would be given back, in cents. */
  amount: number
  /** The payments that it would come from. */
  payments: Refundable[]
}

const forSubscription = ({ purpose }: Refundable): boolean => purpose === 'first' || purpose.startsWith('renewal:')

/**
 * within 30 days of the first payment and with at least 7 listened sessions, everything paid for the subscription
 * in those days goes back. The legal text says seven days in a row; any seven count here, which is more generous. The
 * days are those of the buyer's time zone; where it is not known, the last one ends when it is over everywhere.
 */
export function guaranteeStanding(
  payments: readonly Refundable[],
  listened: number,
  now: Date,
  timeZone: string | null = null,
): Standing {
  const chain = payments.filter(forSubscription).sort((a, b) => a.settledAt.getTime() - b.settledAt.getTime())
  const first = chain[0]
  if (!first) return { until: null, eligible: false, amount: 0, payments: [] }
  const until = endOfDays(first.settledAt, MONEY_BACK_DAYS, timeZone)
  const within = chain.filter(
    ({ settledAt, amount, refunded }) => settledAt.getTime() <= until.getTime() && refunded < amount,
  )
  const amount = within.reduce((sum, payment) => sum + payment.amount - payment.refunded, 0)
  return {
    until,
    eligible: now.getTime() <= until.getTime() && listened >= MONEY_BACK_SESSIONS && amount > 0,
    amount,
    payments: within,
  }
}

/** Whether a payment belongs to the contract that a withdrawal names. */
export function isOf(contract: ExitContract, payment: Refundable): boolean {
  if (contract === 'everything') return true
  return contract === 'subscription' ? forSubscription(payment) : payment.purpose.startsWith('upsell:')
}

/**
 * H-02: everything paid within the withdrawal period goes back, add-ons too, unless one contract alone is named.
 * `until` is the end of that period, null where the right does not exist.
 */
export function withdrawalStanding(
  payments: readonly Refundable[],
  until: Date | null,
  now: Date,
  contract: ExitContract = 'everything',
): Standing {
  const standing = payments.filter(
    (payment) => payment.refunded < payment.amount && !payment.asked && isOf(contract, payment),
  )
  const amount = standing.reduce((sum, payment) => sum + payment.amount - payment.refunded, 0)
  const eligible = until !== null && now.getTime() <= until.getTime() && standing.length > 0
  return { until, eligible, amount: until ? amount : 0, payments: until ? standing : [] }
}

import { MONEY_BACK_DAYS, MONEY_BACK_SESSIONS } from '../../contract/catalogue.ts'
import { type ExitContract, UNDER_WAY_MINUTES } from '../../contract/exit.ts'
import { endOfDays } from '../../contract/last-day.ts'
import { HOUR } from '../../contract/time.ts'

/** One payment that may be given back. Amounts are cents. */
export interface Refundable {
  intentId: string
  purpose: string
  amount: number
  /** Given back in any way, or owed back already. */
  refunded: number
  settledAt: Date
  /** When its contract was made: for the subscription by its first payment, with all that it charges. */
  orderedAt: Date
  /** When the payment that made the contract was begun. */
  begunAt: Date
  /** When it became known here; a payment may be made before a request and be heard of after it. */
  recordedAt: Date
}

/** The same, as the right to withdraw sees it. */
export interface Withdrawable extends Refundable {
  /** H-02: the last moment to withdraw from its contract; null where the right does not exist. */
  until: Date | null
  /** An earlier request covers it, or has given it back or ended it: another one does not ask for it again. */
  asked?: boolean
}

export interface Standing {
  /** Until when it may be requested, all of it; null without a payment. */
  until: Date | null
  eligible: boolean
  /** What would be given back, in cents. */
  amount: number
  /** The payments that it would come from. */
  payments: Refundable[]
}

/** Whether it is the first payment of the subscription or one of its later charges. */
export const forSubscription = ({ purpose }: Pick<Refundable, 'purpose'>): boolean =>
  purpose === 'first' || purpose.startsWith('renewal:')

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

/** What a withdrawal at this moment would end and give back. */
export interface WithdrawalStanding extends Standing {
  /** Whether it is from the subscription too. Not where its days are over and those of a later order are not. */
  endsSubscription: boolean
}

/** Whether an order came before a statement, or was being paid when that was received (exit/carry-out.ts). */
const isMeant = ({ orderedAt, begunAt }: Refundable, received: Date): boolean =>
  orderedAt <= received ||
  (begunAt <= received && orderedAt.getTime() <= received.getTime() + (UNDER_WAY_MINUTES / 60) * HOUR)

/**
 * H-02: everything goes back that was ordered within the days of the right, each order by its own days, unless one
 * contract alone is named; nothing that was ordered after the statement was `received`, where it is carried out later.
 * `payments` includes what starts a subscription for nothing, which has days and can be withdrawn from too.
 */
export function withdrawalStanding(
  payments: readonly Withdrawable[],
  now: Date,
  { contract = 'everything', received }: { contract?: ExitContract | undefined; received?: Date | undefined } = {},
): WithdrawalStanding {
  const runs = (payment: Withdrawable): boolean =>
    payment.until !== null && now.getTime() <= payment.until.getTime() && (!received || isMeant(payment, received))
  const isLeft = ({ amount, refunded }: Refundable): boolean => amount === 0 || refunded < amount
  const standing = payments.filter(
    (payment) => isLeft(payment) && !payment.asked && isOf(contract, payment) && runs(payment),
  )
  const ends = standing.flatMap(({ until }) => until?.getTime() ?? [])
  return {
    until: ends.length > 0 ? new Date(Math.min(...ends)) : null,
    eligible: standing.length > 0,
    amount: standing.reduce((sum, payment) => sum + payment.amount - payment.refunded, 0),
    payments: standing,
    endsSubscription: contract !== 'guides' && payments.filter(forSubscription).every(runs),
  }
}

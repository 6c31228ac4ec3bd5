/** Mails that time sets off while a subscription runs. */
import type { Cents } from '../../contract/money.ts'
import type { PaidWith } from '../../contract/paid-with.ts'
import type { Period } from '../../contract/period.ts'
import type { Ending, Instant, ToSubscriber, Url } from './mail.parts.ts'

/** Price, period and how to leave, once a year or as often as the buyer's law asks. */
export interface YearlyReminder extends ToSubscriber, Ending {
  /** When the contract began. */
  since: Instant
  /** Per period. */
  amount: Cents
  period: Period
  /** Including discounts and one-off amounts. */
  nextAmount: Cents
  nextChargeAt: Instant
  paidWith?: PaidWith | null
}

/** The trial turned paid, and the right to withdraw begins a second time (H-02). */
export interface SecondWithdrawal extends ToSubscriber, Ending {
  withdrawUrl: Url
  from: Instant
  until: Instant
  amount: Cents
  period: Period
}

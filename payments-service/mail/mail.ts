/**
 * Every mail the service can send, as one union. `data` is stored in the outbox row: plain JSON, dates as ISO
 * strings, amounts in cents, links as complete addresses (with signed tokens, never a session id).
 */
import type { AddOnId, ProductId } from '../../contract/catalogue.ts'
import type { ExitContract, ExitKind } from '../../contract/exit.ts'
import type { Cents } from '../../contract/money.ts'
import type { PaidWith } from '../../contract/paid-with.ts'
import type { Period } from '../../contract/period.ts'
import type { TaxShare } from '../../contract/tax-words.ts'
import type { Common, Ending, Instant, LastCharge, Later, Stands, ToSubscriber, Url } from './mail.parts.ts'
import type { SecondWithdrawal, YearlyReminder } from './mail.running.ts'

export type { Instant, Url } from './mail.parts.ts'

export interface AddOnLine {
  productId: AddOnId
  amount: Cents
  /** H-05: opens a page that asks once; no longer shown after `undoUntil`. */
  undoUrl?: Url | null
}

export interface OrderConfirmation extends ToSubscriber {
  /** A product that starts a subscription. */
  productId: ProductId
  /** What was charged now; 0 when PayPal was only set up (P-06). */
  paid: Cents
  paidAt: Instant
  paidWith?: PaidWith | null
  tax?: TaxShare | null
  addOns: AddOnLine[]
  /** H-05: ten minutes after the newest add-on was paid. */
  undoUntil?: Instant | null
  appUrl: Url
  /** Signed link to make the account; null when there is one. */
  accountUrl: Url | null
  /** What was ordered is closed by the time this is sent. */
  closed?: boolean
  /**
   * The first full charge as planned; null when nothing more is charged. When left out, the terms as of the payment.
   * `period`: of those after it, as ordered without it.
   */
  next?: ({ amount: Cents; at: Instant; period?: Period } & Later) | null | undefined
  /** Nothing is charged while it is paused. */
  paused?: boolean
}

export interface AddOnReceipt extends Common {
  items: AddOnLine[]
  paidAt: Instant
  paidWith?: PaidWith | null
  tax?: TaxShare | null
  undoUntil: Instant | null
  /** It is closed by the time this is sent. */
  closed?: boolean
  appUrl: Url
}

export interface OneTimeReceipt extends Common {
  productId: ProductId
  paid: Cents
  paidAt: Instant
  paidWith?: PaidWith | null
  tax?: TaxShare | null
  openUrl: Url
  /** Makes the account, where what was bought stays; null where there is one. */
  accountUrl?: Url | null
}

export interface AccountWelcome extends Common {
  /** The address to sign in with. */
  email: string
  appUrl: Url
  /** What is open is a reading, and no programme. */
  readingOnly?: boolean
  /** The programme is not open by now. */
  closed?: boolean
}

export interface TrialEnds extends ToSubscriber, Later {
  productId: ProductId
  amount: Cents
  chargeAt: Instant
  period: Period
  paidWith?: PaidWith | null
  appUrl: Url
}

/** H-01: price or period of a running subscription changed. Amounts are per period, except that of the next charge. */
export interface PriceChanged extends ToSubscriber, Ending {
  oldAmount: Cents
  oldPeriod: Period
  newAmount: Cents
  newPeriod: Period
  /** The first charge at the new price. */
  fromAt: Instant
  /** Including discounts and one-off amounts. */
  nextAmount: Cents
  nextChargeAt: Instant
  paidWith?: PaidWith | null
}

export interface RenewalReceipt extends ToSubscriber, Ending {
  amount: Cents
  paidAt: Instant
  paidWith?: PaidWith | null
  tax?: TaxShare | null
  /** The charge after this one, by the renewal's invoice; null when nothing more is charged. */
  nextAmount: Cents | null
  nextChargeAt: Instant | null
  /** Nothing is charged while it is paused. */
  paused?: boolean
  /** PDF or page of the invoice. */
  invoiceUrl?: Url | null
}

export interface PaymentFailed extends ToSubscriber {
  amount: Cents
  /** How many tries have failed. */
  attempt: number
  /** The next try, as Stripe plans it; null where it plans none (yet). Everything stays open until then. */
  nextTryAt: Instant | null
  /** No try is made by itself any more: the bank has refused it for good, or wants its customer to confirm it. */
  refusedForGood?: 'refused' | 'unconfirmed' | null
  paidWith?: PaidWith | null
  updateUrl: Url
}

export interface CancellationConfirmed extends Common {
  canceledAt: Instant
  accessUntil: Instant
  /** Works until `accessUntil`. */
  undoUrl: Url
  /** It has ended by the time this is sent, and cannot be taken back any more. */
  over?: boolean
  /** Bought for life and still open (P-12). */
  keptAddOns: AddOnId[]
  /** What is still charged where it was cancelled at Stripe. */
  last?: LastCharge | null
}

export interface CancellationUndone extends ToSubscriber, Later {
  /** Null while nothing is charged: collection is paused, or all tries of a charge have failed. */
  amount: Cents | null
  nextChargeAt: Instant | null
  period: Period
  /** What failed charges have left unpaid. */
  owed?: { amount: Cents; updateUrl: Url } | null
}

export interface Refund extends Common {
  amount: Cents
  /** The tax that goes back with it. */
  tax?: Pick<TaxShare, 'name' | 'taxAmount'> | null
  refundedAt: Instant
  productIds: ProductId[]
  paidWith?: PaidWith | null
  /** When access to what was refunded ends; null when nothing closes. */
  accessEndsAt: Instant | null
}

/**
 * A refund did not arrive. again: it was sent once more; bank: the bank decides in a dispute;
 * person: we find another way.
 */
export interface RefundFailed extends Common {
  productId: ProductId
  amount: Cents
  paidAt: Instant
  paidWith?: PaidWith | null
  next: 'again' | 'bank' | 'person'
}

export interface AlreadySubscribed extends ToSubscriber {
  appUrl: Url
  /** Where what is owed is paid, if the programme is closed until then. */
  payUrl?: Url | null
}

export interface DuplicateRefunded extends Common {
  productId: ProductId
  amount: Cents
  paidAt: Instant
  /** The subscription is that of an earlier order; this one started nothing. */
  elsewhere?: boolean
  /** There is a live subscription: the kept order's, or the earlier one's. */
  runs: boolean
  /** Of the earlier order's, as in AlreadySubscribed. */
  payUrl?: Url | null
  kept?: PaidWith | null
  refunded?: PaidWith | null
}

export interface AccessEnded extends Common {
  reason: 'cancelled' | 'payment_failed' | 'refunded' | 'disputed'
  /** `cancelled`, as its buyer asked us; otherwise an operator ended it at Stripe, or it is not known. */
  asked?: boolean
  endedAt: Instant
  /** What was about to be charged at the cancellation, and is not. */
  dropped?: Cents | null
  /** What is still charged where it was cancelled at Stripe. */
  last?: LastCharge | null
  /** Where it is paid and opened again; the account where that cannot be. */
  returnUrl: Url
  /** Its payment failed, and nobody can pay it any more. */
  final?: boolean
  keptAddOns: AddOnId[]
}

/** P-12: a lifetime purchase is closed because its payment was lost in a dispute; nothing else is. */
export interface PurchaseEnded extends Common {
  productId: ProductId
  amount: Cents
  paidAt: Instant
  endedAt: Instant
  appUrl: Url
  /** Other lifetime purchases, which stay open. */
  keptAddOns: AddOnId[]
}

/** P-12: what a lost dispute or a refund had closed is open again: the dispute was won, or the refund cancelled. */
export interface AccessReopened extends Common, Ending {
  productIds: ProductId[]
  /** Whether it was a refund. */
  refund: boolean
  /** When the programme closes; null where it continues with its subscription, or where only add-ons opened. */
  openUntil: Instant | null
  /** Null: nothing more is charged. */
  next: { amount: Cents; at: Instant } | null
  appUrl: Url
}

export interface AbandonedCheckout extends Common {
  /** A product that starts a subscription: the mail states its terms. */
  productId: ProductId
  resumeUrl: Url
  expiresAt: Instant
  /** Answers a GET with a page and a POST with the unsubscription (RFC 8058). */
  unsubscribeUrl: Url
}

/** What a fresh link is for, in place of one of an earlier mail that has expired (H-04). */
export type FreshLink = 'create_account' | 'update_payment' | 'undo_cancel'

export interface ResumeLink extends Common {
  resumeUrl: Url
  expiresAt: Instant
  /** Left out for the link back into a visit (C-02). */
  freshFor?: FreshLink
}

export interface PasswordReset extends Common {
  resetUrl: Url
  expiresAt: Instant
}

export interface MagicLink extends Common {
  signInUrl: Url
  expiresAt: Instant
}

export interface EmailVerificationCode extends Common {
  code: string
  expiresAt: Instant
  why: 'correct_email' | 'join_purchases' | 'sign_up'
}

export interface MoneyBackRequested extends Common {
  requestedAt: Instant
  amount: Cents
  /** By when an answer is promised. */
  answerBy: Instant
  /** The programme is closed already. */
  closed?: boolean
}

export type MoneyBackDecided = Common &
  (
    | {
        decision: 'approved'
        /** What the bank has agreed to give back. */
        amount: Cents
        /** What the bank has not agreed to yet. */
        pending: Cents
        /** What the bank holds because of a dispute. */
        withBank: Cents
        /** What could not go back the way it came: we find another. */
        open: Cents
        decidedAt: Instant
        /** Null: it does not end the subscription. */
        accessEndsAt: Instant | null
        standing?: Stands
        paidWith?: PaidWith | null
      }
    | {
        decision: 'declined'
        amount: Cents
        decidedAt: Instant
        /** One sentence by the operator. */
        reason: string
        standing?: Stands
      }
  )

export interface WithdrawalReceived extends Common {
  receivedAt: Instant
  productIds: ProductId[]
  amount: Cents
  /** It does not include the subscription. */
  goesOn?: boolean
  standing?: Stands
}

/** A statement of the page /exit was received, for an address that may be known or not (H-02, H-04). */
export interface ExitReceived extends Common {
  /** As typed; shown where it looks like a name. */
  name: string
  statement: ExitKind
  contract: ExitContract
  receivedAt: Instant
  /** A withdrawal is carried out then; null: at once. */
  effectAt: Instant | null
  takeBackUrl: Url
}

export interface FreshCancelLink extends ToSubscriber {
  /** Its reader opened a link that had expired, unless the address was corrected, which ends earlier links. */
  corrected?: boolean
  /** `withdrawUrl` is what was asked for, not `cancelUrl`. */
  freshFor?: 'withdraw'
  /** Of the cancel link, where that is what was asked for. */
  expiresAt?: Instant
  nextChargeAt?: Instant | null
  amount?: Cents | null
}

export interface MailData {
  order_confirmation: OrderConfirmation
  addon_receipt: AddOnReceipt
  one_time_receipt: OneTimeReceipt
  account_welcome: AccountWelcome
  trial_ends: TrialEnds
  price_changed: PriceChanged
  renewal_receipt: RenewalReceipt
  yearly_reminder: YearlyReminder
  second_withdrawal: SecondWithdrawal
  payment_failed: PaymentFailed
  cancellation_confirmed: CancellationConfirmed
  cancellation_undone: CancellationUndone
  refund: Refund
  refund_failed: RefundFailed
  duplicate_refunded: DuplicateRefunded
  already_subscribed: AlreadySubscribed
  access_ended: AccessEnded
  purchase_ended: PurchaseEnded
  access_reopened: AccessReopened
  abandoned_checkout: AbandonedCheckout
  resume_link: ResumeLink
  password_reset: PasswordReset
  magic_link: MagicLink
  email_verification_code: EmailVerificationCode
  money_back_requested: MoneyBackRequested
  money_back_decided: MoneyBackDecided
  withdrawal_received: WithdrawalReceived
  exit_received: ExitReceived
  fresh_cancel_link: FreshCancelLink
}

export type MailKind = keyof MailData
export type Mail = { [Kind in MailKind]: { kind: Kind; to: string; data: MailData[Kind] } }[MailKind]

/** Who the mail is from: the settings document of the CMS, filled in by the caller. */
export interface MailIdentity {
  productName: string
  companyName: string
  /** Postal address of the company, required in commercial mail. */
  companyAddress: string | null
  contactEmail: string
  siteUrl: string | null
}

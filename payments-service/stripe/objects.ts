/** The parts of Stripe's objects that the service uses, under our names. Amounts are cents, times are Dates. */
import type Stripe from 'stripe'
import type { Period } from '../../contract/period.ts'
import type { DisputeStatus } from './dispute-status.ts'
import type { IntentStatus, Named } from './intent-status.ts'

export interface Charge {
  id: string
  succeeded: boolean
  amount: number
  refunded: number
  disputed: boolean
  created: Date
  /** The country of the card or of the PayPal account (ISO 3166). */
  cardCountry: string | null
  /** The country of the billing address, and its state or province as the wallet writes it. */
  addressCountry: string | null
  addressRegion: string | null
}

/** A payment intent, or a setup intent (amount 0: it only saves a method). */
export interface Intent {
  id: string
  kind: 'payment' | 'setup'
  status: IntentStatus
  amount: number
  currency: string
  clientSecret: string
  customerId: string | null
  paymentMethodId: string | null
  paymentMethodType: 'card' | 'paypal' | null
  /** The types of method it can be paid with. */
  methodTypes: readonly string[]
  /** Its customer was deleted (known only if the customer was expanded). */
  customerDeleted: boolean
  metadata: Record<string, string>
  created: Date
  charge: Charge | null
  /** Stripe's own words for the buyer about the last failure. */
  failure: string | null
}

export interface Refund {
  id: string
  amount: number
  currency: string
  status: 'pending' | 'succeeded' | 'failed'
  /** Why it failed (docs.stripe.com/api/refunds/object#refund_object-failure_reason). */
  failureReason: string | null
  /** Requested by this service, not by an operator in the dashboard. */
  ours: boolean
  created: Date
}

export interface Dispute {
  id: string
  amount: number
  currency: string
  status: DisputeStatus
  created: Date
}

export type SubscriptionStatus = Named<Stripe.Subscription.Status>

export interface Subscription {
  id: string
  status: SubscriptionStatus
  customerId: string
  priceId: string | null
  /** The price of its items per period, before coupons and taxes. */
  amount: number | null
  /** It has one item, once: the price of that is all that it costs. */
  isSingle: boolean
  /** How often it is charged; null: it has no item. */
  period: Period | null
  paymentMethodId: string | null
  metadata: Record<string, string>
  created: Date
  trialEnd: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  cancelAtPeriodEnd: boolean
  cancelAt: Date | null
  canceledAt: Date | null
  endedAt: Date | null
  /**
   * Its invoices are not charged to the saved method, until `resumesAt` or until that is set back by hand:
   * pause_collection, or collection_method `send_invoice` (docs.stripe.com/api/subscriptions/object).
   */
  paused: { resumesAt: Date | null } | null
  /** Stripe's reason why it was or will be ended. */
  endedFor: string | null
  latestInvoiceId: string | null
  /** The intent of the latest invoice, if requested (`default_incomplete`). */
  invoiceIntent: { id: string; clientSecret: string } | null
}

/** One try to collect an invoice of a subscription. */
export interface InvoicePayment {
  invoiceId: string
  intentId: string
  paid: boolean
}

export type ForGood = 'refused' | 'unconfirmed'

export interface Invoice {
  id: string
  status: string
  amountDue: number
  amountPaid: number
  /** What is still owed. */
  amountRemaining: number
  /**
   * The price of the subscription's items in it, before discounts, prorations and one-off amounts; null: it has none.
   */
  price: number | null
  currency: string
  created: Date
  attempts: number
  /** Whether Stripe charges it automatically. */
  advances: boolean
  /** When Stripe finalizes a draft automatically. */
  finalizesAt: Date | null
  /** Null: none is planned, or none that Stripe will make (`refusedForGood`). */
  nextAttempt: Date | null
  /** The bank has refused it so that only its owner can pay it: by confirming it, or with another method. */
  refusedForGood?: ForGood
  /** The subscription period that it is for. */
  period: { start: Date; end: Date } | null
  subscriptionId: string | null
  billingReason: string | null
  hostedUrl: string | null
}

/** A saved method as its owner recognises it. */
export type SavedMethodFace =
  { type: 'card'; brand: string; last4: string; expires: string } | { type: 'paypal' } | { type: 'other' }

export interface Price {
  id: string
  amount: number
  currency: string
}

/** Every type of event that the SDK knows. */
export type EventType = Stripe.Event['type']

export interface StripeEvent {
  id: string
  type: string
  objectId: string | null
  apiVersion: string | null
  created: Date
  livemode: boolean
  /** The event as Stripe sent it; only ids are read from it, the objects themselves are read afresh. */
  payload: unknown
}

/** What the service reads of Stripe's objects, in our own words. Amounts are cents, moments are Dates. */
import type Stripe from 'stripe'
import type { DisputeStatus } from './dispute-status.ts'
import type { IntentStatus, Named } from './intent-status.ts'

export interface Charge {
  id: string
  succeeded: boolean
  amount: number
  refunded: number
  disputed: boolean
  created: Date
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
  /** What it can be paid with. */
  methodTypes: readonly string[]
  /** Its customer was deleted (known where the customer was asked for). */
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
  /** Asked for by this service, and by no operator in the dashboard. */
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
  /** What its items cost a period, before coupons and taxes. */
  amount: number | null
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
  /** pause_collection: its invoices are not collected, until `resumesAt` or until somebody resumes it. */
  paused: { resumesAt: Date | null } | null
  /** Why it was or will be ended, as Stripe says it. */
  endedFor: string | null
  latestInvoiceId: string | null
  /** Of the latest invoice, where it was asked for (`default_incomplete`). */
  invoiceIntent: { id: string; clientSecret: string } | null
}

/** One try to collect an invoice of a subscription. */
export interface InvoicePayment {
  invoiceId: string
  intentId: string
  paid: boolean
}

export interface Invoice {
  id: string
  status: string
  amountDue: number
  amountPaid: number
  /** What is still owed. */
  amountRemaining: number
  /** What the subscription's items cost in it, before discounts, prorations and other sums; null: it has none. */
  price: number | null
  currency: string
  created: Date
  attempts: number
  /** Whether Stripe goes on with it by itself. */
  advances: boolean
  /** When Stripe makes a draft final by itself. */
  finalizesAt: Date | null
  nextAttempt: Date | null
  /** The period of the subscription that it is for. */
  period: { start: Date; end: Date } | null
  subscriptionId: string | null
  billingReason: string | null
  hostedUrl: string | null
}

/** A saved method as its owner knows it. */
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

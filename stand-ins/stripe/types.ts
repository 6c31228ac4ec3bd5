// The vocabulary of the sandbox: which objects it stores and what may be hidden beside them.
import { type Stripe } from './stripe-types.ts'

/** API version every reply follows, and the default for callers that send no `Stripe-Version`. */
export const API_VERSION = '2026-10-28.endive'

/** Every kind of object the sandbox keeps, by the value of its `object` field. */
export interface Kinds {
  customer: Stripe.Customer
  product: Stripe.Product
  price: Stripe.Price
  payment_intent: Stripe.PaymentIntent
  setup_intent: Stripe.SetupIntent
  payment_method: Stripe.PaymentMethod
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  mandate: Stripe.Mandate
  subscription: Stripe.Subscription
  subscription_item: Stripe.SubscriptionItem
  subscription_schedule: Stripe.SubscriptionSchedule
  invoice: Stripe.Invoice
  invoiceitem: Stripe.InvoiceItem
  invoice_payment: Stripe.InvoicePayment
  event: Stripe.Event
  webhook_endpoint: Stripe.WebhookEndpoint
  payment_method_domain: Stripe.PaymentMethodDomain
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock
}
export type Kind = keyof Kinds
export type AnyObject = Kinds[Kind]

/** What Stripe knows about an object and never shows; kept by the object's id. */
export interface Hidden {
  /** Number of a test card (payment methods). */
  card?: string
  /** The card or wallet was authenticated for later use (payment methods). */
  setUp?: boolean
  /** Paid once without being saved: Stripe allows no second use. */
  used?: boolean
  /** A wallet whose later charges are declined (chosen on its page). */
  declines?: boolean
  /** `return_url` of the running confirmation (intents). */
  returnUrl?: string
  /** Whether the running confirmation is off-session (intents). */
  offSession?: boolean
  /** Mandate of a saved wallet (payment methods). */
  mandate?: string
  /** The browser that accepted the mandate, as named in the confirmation's `mandate_data` (intents). */
  acceptedBy?: string
  /** The invoice that this payment intent pays. */
  invoice?: string
  /** Deleted objects can still be retrieved as `{id, object, deleted: true}`. */
  deleted?: boolean
  /** Waits for the customer's next invoice (invoice items). */
  pending?: boolean
  /** A test clock's target while it advances. */
  target?: number
  /** Notices already sent for this period (subscriptions). */
  notified?: string
  /** When the bank decides, in unix seconds, and how (refunds). */
  settles?: { at: number; as: 'succeeded' | 'failed' } | undefined
}

/** Who asked for a change: an API request or the clock. */
export interface Cause {
  request?: { id: string; method: string; path: string; idempotency_key: string | null }
  job?: string
}

/** What a keyed request was and what it got; replayed for 24 hours. */
export interface KeyRecord {
  key: string
  fingerprint: string
  method: string
  path: string
  request: string
  at: number
  status: number
  body: unknown
}

/** One line of the ledger. `clock` is the sandbox's own time in unix seconds, `at` the wall clock's. */
export interface LedgerEntry {
  seq: number
  at: string
  clock: number
  cause: Cause
  objects?: AnyObject[]
  hidden?: Record<string, Hidden>
  events?: Stripe.Event[]
  key?: KeyRecord
  status?: number
  delivered?: { event: string; endpoint: string }
  offset?: number
}

/** The id of a field that may hold an id or an expanded object. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value.id
}

/** Converts Stripe's objects to ours (objects.ts). */
import type Stripe from 'stripe'
import { CURRENCY } from '../../contract/money.ts'
import type { Period } from '../../contract/period.ts'
import type { DisputeStatus } from './dispute-status.ts'
import type { IntentStatus } from './intent-status.ts'
import type {
  Charge,
  Intent,
  Refund,
  Dispute,
  SubscriptionStatus,
  Subscription,
  InvoicePayment,
  Invoice,
  SavedMethodFace,
  StripeEvent,
} from './objects.ts'

const at = (seconds: number): Date => new Date(seconds * 1000)
const maybeAt = (seconds: number | null | undefined): Date | null => (seconds ? at(seconds) : null)
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : value.id

function isDeleted(customer: string | Stripe.Customer | Stripe.DeletedCustomer | null): boolean {
  return typeof customer === 'object' && customer !== null && customer.deleted === true
}

function methodType(method: string | Stripe.PaymentMethod | null, types: readonly string[]): 'card' | 'paypal' | null {
  const type = typeof method === 'object' && method ? method.type : types.length === 1 ? types[0] : undefined
  return type === 'card' || type === 'paypal' ? type : null
}

function toCharge(charge: Stripe.Charge): Charge {
  return {
    id: charge.id,
    succeeded: charge.status === 'succeeded' && charge.captured,
    amount: charge.amount,
    refunded: charge.amount_refunded,
    disputed: charge.disputed,
    created: at(charge.created),
    cardCountry: charge.payment_method_details?.card?.country ?? charge.payment_method_details?.paypal?.country ?? null,
    addressCountry: charge.billing_details.address?.country ?? null,
    addressRegion: charge.billing_details.address?.state ?? null,
  }
}

export function toIntent(intent: Stripe.PaymentIntent): Intent {
  const charge = intent.latest_charge
  return {
    id: intent.id,
    kind: 'payment',
    status: intent.status as IntentStatus,
    amount: intent.amount,
    currency: intent.currency,
    clientSecret: intent.client_secret ?? '',
    customerId: idOf(intent.customer),
    customerDeleted: isDeleted(intent.customer),
    methodTypes: intent.payment_method_types,
    paymentMethodId: idOf(intent.payment_method),
    paymentMethodType: methodType(intent.payment_method as Stripe.PaymentMethod | null, intent.payment_method_types),
    metadata: intent.metadata,
    created: at(intent.created),
    charge: charge && typeof charge === 'object' ? toCharge(charge) : null,
    failure: intent.last_payment_error?.message ?? null,
  }
}

export function toSetup(intent: Stripe.SetupIntent): Intent {
  return {
    id: intent.id,
    kind: 'setup',
    status: intent.status as IntentStatus,
    amount: 0,
    currency: CURRENCY,
    clientSecret: intent.client_secret ?? '',
    customerId: idOf(intent.customer),
    customerDeleted: isDeleted(intent.customer),
    methodTypes: intent.payment_method_types,
    paymentMethodId: idOf(intent.payment_method),
    paymentMethodType: methodType(intent.payment_method as Stripe.PaymentMethod | null, intent.payment_method_types),
    metadata: intent.metadata ?? {},
    created: at(intent.created),
    charge: null,
    failure: intent.last_setup_error?.message ?? null,
  }
}

/**
 * pending until the bank agrees, requires_action included. canceled: it was never sent, because an operator stopped it.
 */
function refundStatus({ status }: Stripe.Refund): Refund['status'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

export function toRefund(refund: Stripe.Refund): Refund {
  return {
    id: refund.id,
    amount: refund.amount,
    currency: refund.currency,
    status: refundStatus(refund),
    failureReason: refund.failure_reason ?? (refund.status === 'canceled' ? 'merchant_request' : null),
    ours: refund.metadata?.['owed_refund'] !== undefined,
    created: at(refund.created),
  }
}

export function toDispute(dispute: Stripe.Dispute): Dispute {
  return {
    id: dispute.id,
    amount: dispute.amount,
    currency: dispute.currency,
    status: dispute.status as DisputeStatus,
    created: at(dispute.created),
  }
}

export function toSubscription(subscription: Stripe.Subscription): Subscription {
  const item = subscription.items.data[0]
  const invoice = subscription.latest_invoice
  const secret = invoice && typeof invoice === 'object' ? invoice.confirmation_secret?.client_secret : undefined
  return {
    id: subscription.id,
    status: subscription.status as SubscriptionStatus,
    customerId: idOf(subscription.customer) ?? '',
    priceId: item?.price.id ?? null,
    amount: amountOf(subscription.items.data),
    isSingle: subscription.items.data.length === 1 && (item?.quantity ?? 1) === 1,
    period: recurs(item?.price.recurring),
    paymentMethodId: idOf(subscription.default_payment_method),
    metadata: subscription.metadata,
    created: at(subscription.created),
    trialEnd: maybeAt(subscription.trial_end),
    periodStart: maybeAt(item?.current_period_start),
    periodEnd: maybeAt(item?.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: maybeAt(subscription.cancel_at),
    canceledAt: maybeAt(subscription.canceled_at),
    endedAt: maybeAt(subscription.ended_at),
    paused: pausedOf(subscription),
    endedFor: subscription.cancellation_details?.reason ?? null,
    latestInvoiceId: idOf(invoice as string | { id: string } | null),
    // pi_123_secret_456 belongs to pi_123
    invoiceIntent: secret ? { id: secret.split('_secret_')[0] ?? '', clientSecret: secret } : null,
  }
}

const recurs = (recurring: Stripe.Price.Recurring | null | undefined): Period | null =>
  recurring ? { unit: recurring.interval as Period['unit'], count: recurring.interval_count } : null

/** What Stripe mails invoices for it does not charge by itself either, until an operator has it do so again. */
function pausedOf({ collection_method, pause_collection: pause }: Stripe.Subscription): Subscription['paused'] {
  if (collection_method === 'send_invoice') return { resumesAt: null }
  return pause && { resumesAt: maybeAt(pause.resumes_at) }
}

/** Null if a price has no fixed amount (metered, tiered). */
function amountOf(items: readonly Stripe.SubscriptionItem[]): number | null {
  let sum = 0
  for (const { price, quantity } of items) {
    if (price.unit_amount === null) return null
    sum += price.unit_amount * (quantity ?? 1)
  }
  return sum
}

/** The lines for the subscription's items, without prorations. */
const itemLines = ({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem[] =>
  lines.data.filter(({ parent }) => parent?.subscription_item_details?.proration === false)

/** A line's amount is before its discounts (docs.stripe.com/api/invoice-line-item/object). */
function priceIn(invoice: Stripe.Invoice): Invoice['price'] {
  const lines = itemLines(invoice)
  return lines.length > 0 ? lines.reduce((sum, { amount }) => sum + amount, 0) : null
}

/**
 * An invoice's own period lies before its creation; the period it charges for is in its lines. The credit for what is
 * left of a period at another price is a line too, of that period.
 */
function periodOf(invoice: Stripe.Invoice): Invoice['period'] {
  const ofItems = ({ parent }: Stripe.InvoiceLineItem) => parent?.type === 'subscription_item_details'
  const line = itemLines(invoice).at(-1) ?? invoice.lines.data.findLast(ofItems)
  return line ? { start: at(line.period.start), end: at(line.period.end) } : null
}

export function toMethodFace(method: Stripe.PaymentMethod): SavedMethodFace {
  if (method.type === 'paypal') return { type: 'paypal' }
  if (!method.card) return { type: 'other' }
  const { brand, last4, exp_month, exp_year } = method.card
  return { type: 'card', brand, last4, expires: `${String(exp_month).padStart(2, '0')}/${String(exp_year).slice(-2)}` }
}

export function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id ?? '',
    status: invoice.status ?? 'draft',
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    amountRemaining: invoice.amount_remaining,
    price: priceIn(invoice),
    currency: invoice.currency,
    created: at(invoice.created),
    attempts: invoice.attempt_count,
    advances: invoice.auto_advance === true && invoice.collection_method === 'charge_automatically',
    finalizesAt: maybeAt(invoice.automatically_finalizes_at),
    nextAttempt: maybeAt(invoice.next_payment_attempt),
    period: periodOf(invoice),
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    billingReason: invoice.billing_reason,
    hostedUrl: invoice.hosted_invoice_url ?? null,
  }
}

export function toInvoicePayment(payment: Stripe.InvoicePayment): InvoicePayment | null {
  const intentId = idOf(payment.payment.payment_intent)
  const invoiceId = idOf(payment.invoice)
  return intentId && invoiceId ? { invoiceId, intentId, paid: payment.status === 'paid' } : null
}

/**
 * Reads an event of any API version. Throws TypeError if it lacks what every version has; a `data.object` of unknown
 * shape is accepted, so that the event is stored and an operator sees it.
 */
export function toEvent(event: Stripe.Event): StripeEvent {
  const { id, type, created, livemode, api_version, data } = event as Partial<Stripe.Event>
  if (typeof id !== 'string' || typeof type !== 'string' || typeof livemode !== 'boolean') {
    throw new TypeError('an event needs an id, a type and livemode')
  }
  if (!Number.isSafeInteger(created) || Number.isNaN(at(created as number).getTime())) {
    throw new TypeError('an event needs the second in which it was created')
  }
  const object = data?.object as { id?: unknown } | null | undefined
  return {
    id,
    type,
    objectId: typeof object?.id === 'string' ? object.id : null,
    apiVersion: typeof api_version === 'string' ? api_version : null,
    created: at(created as number),
    livemode,
    payload: event,
  }
}

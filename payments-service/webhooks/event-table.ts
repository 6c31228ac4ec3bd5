/**
 * What each of Stripe's events does here (P-10): its object, and what is read again because of it. The dispatcher
 * follows this table and docs/money.md shows it. An event only says what to read again at Stripe; no state is taken
 * from it, so events may come twice, late, out of order, or in the shape of another API version.
 */
import type { EventType } from '../stripe/objects.ts'

/**
 * The type of an event's `data.object`; it is, or refers to, a payment intent, a set-up, a subscription or a customer.
 */
export type EventObject =
  | 'payment_intent'
  | 'setup_intent'
  | 'charge'
  | 'refund'
  | 'dispute'
  | 'invoice'
  | 'subscription'
  | 'customer'
  | 'discount'
  | 'invoiceitem'
  | 'subscription_schedule'

/**
 * settle: read the payment again, with its refunds and disputes, and update our records (payments/settle.ts).
 * count_decline: the same, and end the intent of someone who tests stolen cards (payments/declines.ts). settle_refund:
 * the same, including failed refunds, which the charge no longer shows. sync: read the subscription and its invoices
 * again (subscriptions/sync.ts). sync_customer: the same for every subscription of a customer. none: nothing has
 * happened yet.
 */
export type EventAction = 'settle' | 'count_decline' | 'settle_refund' | 'sync' | 'sync_customer' | 'none'

export interface EventRow {
  object: EventObject
  action: EventAction
  /** What has happened when Stripe sends it. */
  means: string
}

/** The families this service handles; other events of the account are ignored. */
const FAMILIES = [
  'payment_intent.',
  'setup_intent.',
  'charge.',
  'refund.',
  'invoice.',
  'invoiceitem.',
  'customer.subscription.',
  'subscription_schedule.',
  'customer.updated',
  'customer.deleted',
  'customer.discount.',
] as const

/**
 * Every event of these families that the SDK knows: if a newer SDK adds one, this does not compile until it has a row.
 */
export type OurEvent = Extract<EventType, `${(typeof FAMILIES)[number]}${string}`>

const row =
  (object: EventObject, usual: EventAction) =>
  (means: string, action: EventAction = usual): EventRow => ({ object, action, means })
const payment = row('payment_intent', 'settle')
const setup = row('setup_intent', 'settle')
const charge = row('charge', 'settle')
const refund = row('refund', 'settle_refund')
const dispute = row('dispute', 'settle')
const invoice = row('invoice', 'sync')
const subscription = row('subscription', 'sync')
const schedule = row('subscription_schedule', 'sync')
const customer = row('customer', 'sync_customer')
const discount = row('discount', 'sync_customer')
const invoiceItem = row('invoiceitem', 'sync_customer')

/** https://docs.stripe.com/api/events/types */
export const EVENTS: Record<OurEvent, EventRow> = {
  'payment_intent.created': payment('an intent is open, maybe one whose creation was never answered'),
  'payment_intent.requires_action': payment("the buyer's bank or PayPal asks the buyer"),
  'payment_intent.processing': payment('the bank has not decided yet'),
  'payment_intent.succeeded': payment('the money is charged'),
  'payment_intent.payment_failed': payment('a card or wallet was refused; the intent stays open', 'count_decline'),
  'payment_intent.canceled': payment('nothing can be paid with it any more'),
  'payment_intent.amount_capturable_updated': payment('an amount is held; this product captures at once'),
  'payment_intent.partially_funded': payment('a part came by bank transfer, which this product does not offer'),

  'setup_intent.created': setup('a method is about to be saved'),
  'setup_intent.requires_action': setup("the buyer's bank or PayPal asks the buyer"),
  'setup_intent.succeeded': setup('a method is saved; with PayPal this starts the trial'),
  'setup_intent.setup_failed': setup('the method was refused; the set-up stays open', 'count_decline'),
  'setup_intent.canceled': setup('nothing can be saved with it any more'),

  'charge.succeeded': charge('the money is charged'),
  'charge.captured': charge('a held amount is charged'),
  'charge.pending': charge('the bank has not decided yet'),
  'charge.failed': charge('one try was refused'),
  'charge.expired': charge('a held amount was let go'),
  'charge.updated': charge('its description, its fee or its metadata changed'),
  'charge.refunded': charge('money goes back, in part or whole', 'settle_refund'),
  'charge.refund.updated': refund('a refund moved on, or the bank sent it back'),

  'charge.dispute.created': dispute('the bank asks, or takes the money back'),
  'charge.dispute.updated': dispute('evidence was given, or the bank moved on'),
  'charge.dispute.funds_withdrawn': dispute('the disputed money is gone from the balance'),
  'charge.dispute.funds_reinstated': dispute('the disputed money is back in the balance'),
  'charge.dispute.closed': dispute('it is won, lost or withdrawn'),

  'refund.created': refund('money goes back'),
  'refund.updated': refund('a refund moved on'),
  'refund.failed': refund('the bank sent the refund back: the buyer does not have the money'),

  'invoice.upcoming': invoice('a renewal comes in some days: the last look before it at what it charges'),
  'invoice.will_be_due': invoice('an invoice is due in some days; ours are charged, not sent', 'none'),
  'invoice.created': invoice('the draft of a renewal; it is charged about an hour later'),
  'invoice.deleted': invoice('a draft is gone'),
  'invoice.finalized': invoice('the amount is fixed and about to be charged'),
  'invoice.finalization_failed': invoice('it cannot be charged before somebody mends it'),
  'invoice.updated': invoice('something of it changed, the next try for example'),
  'invoice.sent': invoice('the buyer got it by mail'),
  'invoice.paid': invoice('the renewal is paid, by charge or by hand'),
  'invoice.payment_succeeded': invoice('the renewal is charged'),
  'invoice.payment_failed': invoice('the charge of a renewal was refused; Stripe tries again'),
  'invoice.payment_action_required': invoice('the bank asks the buyer before it lets the renewal through'),
  'invoice.payment_attempt_required': invoice('a charge outside Stripe has to be reported'),
  'invoice.overdue': invoice('an invoice is past its day'),
  'invoice.overpaid': invoice('more was paid than owed'),
  'invoice.voided': invoice('it is owed no more'),
  'invoice.marked_uncollectible': invoice('it is given up'),

  'customer.subscription.created': subscription('the subscription is there'),
  'customer.subscription.updated': subscription('its status, period, price or end changed'),
  'customer.subscription.deleted': subscription('it is over'),
  'customer.subscription.trial_will_end': subscription('the trial ends within three days'),
  'customer.subscription.paused': subscription('a trial ended without a method'),
  'customer.subscription.resumed': subscription('it goes on after a pause'),
  'customer.subscription.pending_update_applied': subscription('a change that waited for a payment holds'),
  'customer.subscription.pending_update_expired': subscription('a change that waited for a payment was dropped'),

  'subscription_schedule.created': schedule('an operator planned a change of the subscription in the dashboard'),
  'subscription_schedule.updated': schedule('the planned change is another; the subscription may be as before'),
  'subscription_schedule.expiring': schedule('its last change comes in some days'),
  'subscription_schedule.aborted': schedule('nothing of it happens any more, because of an unpaid bill'),
  'subscription_schedule.canceled': schedule('nothing of it happens any more, and the subscription is over'),
  'subscription_schedule.completed': schedule('all of it has happened'),
  'subscription_schedule.released': schedule('nothing of it happens any more; the subscription goes on'),

  'invoiceitem.created': invoiceItem('a sum is added to the next invoice'),
  'invoiceitem.deleted': invoiceItem('a sum is taken off the next invoice'),
  'customer.updated': customer('its balance, its card or its address changed'),
  'customer.deleted': customer('it is gone, and its subscriptions are over'),
  'customer.discount.created': discount('its invoices are reduced'),
  'customer.discount.updated': discount('they are reduced in another way'),
  'customer.discount.deleted': discount('they are not reduced any more'),
}

/** Whether this service handles events of this type, even if the table does not know it. */
export function isOurs(type: string): boolean {
  return FAMILIES.some((family) => type.startsWith(family))
}

/** The row of an event; undefined for a type the table does not know. */
export function rowOf(type: string): EventRow | undefined {
  return Object.hasOwn(EVENTS, type) ? EVENTS[type as OurEvent] : undefined
}

import { collectedAt, periodAfter } from '../../contract/terms.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import type { Invoice, Subscription } from '../stripe/objects.ts'
import { isOver, meaningOf } from '../stripe/subscription-status.ts'
import { isLeaving, type NextCharge } from '../payments/subscriptions.queries.ts'

export interface Upcoming {
  /** Null: nothing more is charged automatically, or not while it is paused. */
  next: NextCharge | null
  /** What is to be paid after failed charges, in cents. */
  owed: number | null
}

/** Whether an invoice may still take money. */
export const isUnpaid = ({ status, amountDue }: Invoice): boolean =>
  (status === 'draft' || status === 'open') && amountDue > 0

/** Whether its owner can pay it: also one that was given up (docs.stripe.com/invoicing/overview#invoice-statuses). */
export const isPayable = (invoice: Invoice): boolean =>
  isUnpaid(invoice) || (invoice.status === 'uncollectible' && invoice.amountDue > 0)

/** Whether a charge of it has failed. */
export const isFailed = ({ status, attempts }: Invoice): boolean => status === 'open' && attempts > 0

/** What is left to pay of these invoices, in cents. */
export const leftOf = (invoices: readonly Invoice[]): number =>
  invoices.reduce((sum, { amountRemaining }) => sum + amountRemaining, 0)

/**
 * The invoices of a subscription with the tries that Stripe will make: it plans more for a bill that the bank has
 * refused for good, and makes none of them while the same method is on file. Throws StripeFailure.
 */
export function withTries(
  { stripe }: Pick<Deps, 'stripe'>,
  { paymentMethodId }: Subscription,
  invoices: readonly Invoice[],
  by: Deadline | undefined,
): Promise<Invoice[]> {
  const withTry = async (invoice: Invoice): Promise<Invoice> => {
    if (!paymentMethodId || !isFailed(invoice) || !invoice.nextAttempt) return invoice
    const refusedForGood = await stripe.readForGood(invoice.id, paymentMethodId, by)
    return refusedForGood ? { ...invoice, nextAttempt: null, refusedForGood } : invoice
  }
  return Promise.all(invoices.map(withTry))
}

/** The invoice of the current period. */
export const latestOf = (subscription: Subscription, invoices: readonly Invoice[]): Invoice | undefined =>
  invoices.find(({ id }) => id === subscription.latestInvoiceId)

/**
 * What is to be paid after failed charges. Stripe opens an unpaid subscription once its latest invoice is paid, which
 * may be a draft or given up: it stands for the period that runs. `stale`: the invoices of the periods before, which
 * are not to be paid as well: the programme was closed. What was billed by hand is owed all the same.
 */
export function debtOf(subscription: Subscription, invoices: readonly Invoice[]): { due: Invoice[]; stale: Invoice[] } {
  const failed = invoices.filter(isFailed)
  const latest = latestOf(subscription, invoices)
  if (subscription.status !== 'unpaid' || !latest || !isPayable(latest)) return { due: failed, stale: [] }
  const others = invoices.filter(({ id }) => id !== latest.id)
  const byHand = ({ billingReason }: Invoice): boolean => billingReason === 'manual'
  return {
    due: [latest, ...others.filter((one) => byHand(one) && isFailed(one))],
    stale: others.filter((one) => !byHand(one) && isUnpaid(one)),
  }
}

/**
 * What a subscription charges next, when, and what is owed, from Stripe's own invoices, which reflect changes of price,
 * coupons, trial, collection or end made in its dashboard. `asked`: its buyer wants no further charge, so that no bill
 * of its end is collected. Throws StripeFailure.
 */
export async function upcomingOf(
  { stripe }: Pick<Deps, 'stripe'>,
  subscription: Subscription,
  invoices: readonly Invoice[],
  asked: boolean,
  by: Deadline | undefined,
): Promise<Upcoming> {
  const { due } = debtOf(subscription, invoices)
  const owed = due.length > 0 ? leftOf(due) : null
  // only the buyer can pay the first invoice: https://docs.stripe.com/billing/subscriptions/overview#payment-status
  if (subscription.status === 'incomplete') return { next: null, owed: null }
  const [waiting] = invoices.filter((invoice) => isUnpaid(invoice) && invoice.advances).map(plannedOf)
  // what was added to its next bill is charged at its end: https://docs.stripe.com/api/subscriptions/cancel
  if (isOver(subscription.status)) return { next: (!asked && waiting) || null, owed: null }
  if (waiting) return { next: waiting, owed }
  const { paused, periodEnd } = subscription
  const leaving = isLeaving(subscription)
  if (!meaningOf(subscription.status).renews || (leaving && asked) || !periodEnd) return { next: null, owed }
  if (paused && (!paused.resumesAt || paused.resumesAt > periodEnd)) return { next: null, owed }
  const preview = await stripe.previewInvoice(subscription.id, by)
  if (!preview || (leaving && preview.amountDue === 0)) return { next: null, owed }
  const { amountDue: amount, nextAttempt } = preview
  const price = isNextCutShort(subscription, periodEnd) ? subscription.amount : preview.price
  return { next: { amount, price, at: nextAttempt ?? collectedAt(periodEnd) }, owed }
}

/** Whether it ends within the period that the next charge is for: its invoice lists the days, not the price. */
function isNextCutShort({ cancelAt, period }: Subscription, from: Date): boolean {
  return cancelAt !== null && cancelAt > from && period !== null && cancelAt < periodAfter(from, period)
}

/** When an unpaid invoice is collected; null when all tries are over. */
function plannedOf({
  status,
  amountRemaining: amount,
  price,
  finalizesAt,
  nextAttempt,
  created,
  attempts,
}: Invoice): NextCharge | null {
  if (status === 'draft') return { amount, price, at: finalizesAt ?? nextAttempt ?? collectedAt(created) }
  if (nextAttempt) return { amount, price, at: nextAttempt }
  // finalized but not tried yet: it is being collected right now
  return attempts === 0 ? { amount, price, at: collectedAt(created) } : null
}

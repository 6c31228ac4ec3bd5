/** Dunning: what failed charges have left unpaid, paid while the buyer is on the page. */
import type { OwedPayment } from '../../contract/api/subscription.ts'
import type { CardSaved } from '../../contract/members.ts'
import type { Cents } from '../../contract/money.ts'
import { samePaidWith } from '../../contract/paid-with.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { isFailure } from '../stripe/failure.ts'
import type { Invoice } from '../stripe/objects.ts'
import { meaningOf } from '../stripe/subscription-status.ts'
import type { SubscriptionRow } from '../payments/subscriptions.queries.ts'
import { giveUp, reread, unlessGone } from './cancel.ts'
import { stateOf } from './state.ts'
import { syncSubscription } from './sync.ts'
import { debtOf, isPayable, leftOf } from './upcoming.ts'

/** What became of the debt, with the subscription afterwards. */
export type Settled = Pick<CardSaved, 'result' | 'clientSecret'> & { row: SubscriptionRow }

const owes = (row: SubscriptionRow): boolean => ['late', 'unpaid'].includes(stateOf(row))

interface Method {
  id: string
  type: 'card' | 'paypal'
}

/** Stripe's id of a subscription. Throws service_unavailable in the seconds before it has one. */
export function stripeIdOf(row: SubscriptionRow): string {
  if (!row.stripe_subscription_id) throw new AppError('service_unavailable', { retryAfter: 5 })
  return row.stripe_subscription_id
}

/**
 * A-05, H-01: pays what is owed with the method that the subscription is charged to, if it is the one that the page
 * named: a bank may let through today what it refused yesterday. Throws subscription_over after its end, not_eligible
 * where no method is on file, StripeFailure where Stripe cannot say what it is, or whether it was paid.
 */
export async function payWithMethodOnFile(
  deps: Deps,
  row: SubscriptionRow,
  { owed: shown, paidWith }: OwedPayment,
  by: Deadline,
): Promise<Settled> {
  if (stateOf(row) === 'ended') throw new AppError('subscription_over')
  await syncSubscription(deps, stripeIdOf(row), by)
  const now = await reread(deps, row.id)
  // paid meanwhile: by Stripe's own retry, or on another page
  if (!owes(now)) return { result: 'saved', clientSecret: null, row: now }
  const paymentMethodId = now.payment_method_id
  if (!paymentMethodId) throw new AppError('not_eligible')
  // changed in the payment provider's dashboard, or on another page
  const face = await deps.methods.readFace(paymentMethodId, by)
  if (!samePaidWith(face, paidWith)) return { result: 'unasked', clientSecret: null, row: now }
  return payDebt(deps, now, { method: { id: paymentMethodId, type: paidWith.type }, shown }, by)
}

/**
 * Pays what is owed, unless it is another amount than the page showed (H-01). `shown`: cents; null: the page said that
 * nothing is charged; undefined: an older page. Throws StripeFailure where Stripe cannot say whether it was paid,
 * service_unavailable where it was and the programme is not open yet, or was paid in part elsewhere meanwhile.
 */
export async function payDebt(
  deps: Deps,
  row: SubscriptionRow,
  { method, shown }: { method: Method; shown: number | null | undefined },
  by: Deadline,
): Promise<Settled> {
  const id = stripeIdOf(row)
  // a cancelled subscription is not charged any more
  const { due, stale } = stateOf(row) === 'cancelling' ? NOTHING : await readDebt(deps, id, by)
  const sum = leftOf(due)
  const unasked = shown !== undefined && sum > 0 && sum !== shown
  const owed = unasked ? [] : due
  if (owed.length > 0) await giveUpAll(deps, id, stale, by)
  const { clientSecret, lost } = await payAll(deps, owed, method, by)
  const read = await syncSubscription(deps, id, by)
  const now = await reread(deps, row.id)
  if (lost && owes(now)) throw lost
  if (owed.length === 0) return { result: unasked && owes(now) ? 'unasked' : 'saved', clientSecret, row: now }
  const left = (read?.invoices ?? []).filter((one) => isPayable(one) && owed.some((bill) => bill.id === one.id))
  return { result: resultOf(now, leftOf(left), sum), clientSecret, row: now }
}

const NOTHING = { due: [], stale: [] }

async function readDebt({ stripe }: Pick<Deps, 'stripe'>, id: string, by: Deadline) {
  const subscription = await stripe.readSubscription(id, by)
  return debtOf(subscription, await stripe.listInvoices(id, by))
}

/**
 * Before what stands for them is paid, or both could be. Throws service_unavailable where one was paid meanwhile, in
 * the dashboard or on Stripe's page of the invoice, or is being paid.
 */
async function giveUpAll(deps: Deps, id: string, stale: readonly Invoice[], by: Deadline): Promise<void> {
  if (stale.length === 0) return
  for (const invoice of stale) await giveUp(deps, invoice, by)
  const now = new Map((await deps.stripe.listInvoices(id, by)).map((invoice) => [invoice.id, invoice.status]))
  const left = stale.some((invoice) => now.get(invoice.id) !== 'void')
  if (left) throw new AppError('service_unavailable', { retryAfter: 5 })
}

/**
 * By what is left of the sum, whoever has paid it. "Paid" also says that everything is open. Throws service_unavailable
 * where it was paid and is not open yet.
 */
function resultOf(now: SubscriptionRow, left: Cents, sum: Cents): Settled['result'] {
  if (left > 0) return left < sum ? 'part' : 'owed'
  if (meaningOf(now.status).access) return 'paid'
  // Stripe opens it a moment later, or another period has begun meanwhile
  if (owes(now)) throw new AppError('service_unavailable', { retryAfter: 5 })
  // ended meanwhile
  return 'saved'
}

/**
 * Pays invoices with their owner on the page, up to the first one that is not paid, or that the owner's bank wants
 * confirmed there. The oldest first: Stripe calls the subscription paid once its latest is, whatever else is left.
 */
async function payAll(
  { stripe }: Pick<Deps, 'stripe'>,
  invoices: readonly Invoice[],
  method: Method,
  by: Deadline,
): Promise<{ clientSecret: string | null; lost: unknown }> {
  for (const { id, status } of [...invoices].sort((a, b) => a.created.getTime() - b.created.getTime())) {
    try {
      if (status === 'draft') await unlessGone(() => stripe.closeDraft(id, by))
      const { clientSecret } = await stripe.payInvoice(id, method, by)
      if (clientSecret) return { clientSecret, lost: undefined }
    } catch (error) {
      if (!isFailure(error)) throw error
      // paid by Stripe's own retry in between
      if (isFailure(error, 'refused')) continue
      // refused by the bank; otherwise the answer was lost
      return { clientSecret: null, lost: isFailure(error, 'declined') ? undefined : error }
    }
  }
  return { clientSecret: null, lost: undefined }
}

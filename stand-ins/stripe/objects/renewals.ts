// What happens as time passes: trials end, periods turn, drafts become final, failed renewals are retried.
import { type Stripe } from '../stripe-types.ts'
import { type State, type Tx } from '../state.ts'
import { idOf } from '../types.ts'
import { draftInvoice, type LineInput } from './invoice-build.ts'
import { waitingItems } from './invoice-items.ts'
import { collect, endSubscription, finalizeInvoice, retry, updateSubscription } from './invoices.ts'
import { refundsDue } from './refunds.ts'
import { periodFrom, periodLines } from './subscription-build.ts'

const HOUR = 3600
const DAY = 86_400
/** The statuses in which periods turn. */
const RENEWED = ['active', 'past_due', 'unpaid']

function moved(subscription: Stripe.Subscription, start: number, end: number): Stripe.Subscription['items'] {
  return {
    ...subscription.items,
    data: subscription.items.data.map((item) => ({ ...item, current_period_start: start, current_period_end: end })),
  }
}

function hasMethod(tx: Tx, subscription: Stripe.Subscription): boolean {
  const customer = tx.get('customer', idOf(subscription.customer) ?? '')
  return (
    subscription.default_payment_method !== null ||
    idOf(customer?.invoice_settings.default_payment_method ?? null) !== null
  )
}

function draft(
  tx: Tx,
  subscription: Stripe.Subscription,
  immediately: boolean,
  lines: readonly LineInput[],
): Stripe.Invoice {
  const customer = tx.need('customer', idOf(subscription.customer) ?? '')
  const now = tx.now(customer.id)
  const waiting = waitingItems(tx, customer.id)
  // its invoices stay drafts: docs.stripe.com/billing/subscriptions/overview#unpaid
  const unpaid = subscription.status === 'unpaid'
  const invoice = draftInvoice(tx, {
    customer,
    reason: immediately ? 'subscription_update' : 'subscription_cycle',
    currency: subscription.currency,
    lines: [
      ...lines,
      ...waiting.map((item) => ({
        amount: item.amount,
        currency: item.currency,
        description: item.description,
        period: item.period,
        invoiceItem: item.id,
      })),
    ],
    period: { start: now, end: now },
    subscription,
    autoAdvance: !unpaid && subscription.pause_collection?.behavior !== 'keep_as_draft',
    finalizesAt: immediately || unpaid ? null : now + tx.state.account.draft_seconds,
  })
  for (const item of waiting) {
    tx.change(item, { invoice: invoice.id })
    tx.hide(item.id, { pending: false })
  }
  return paused(tx, subscription, invoice)
}

/** What pause_collection does to a new invoice (docs: Billing → Subscriptions → Pause payment collection). */
function paused(tx: Tx, { pause_collection: pause }: Stripe.Subscription, invoice: Stripe.Invoice): Stripe.Invoice {
  if (pause?.behavior !== 'void' && pause?.behavior !== 'mark_uncollectible') return invoice
  const gone = pause.behavior === 'void'
  const now = tx.now(idOf(invoice.customer))
  const ended = tx.change(invoice, {
    status: gone ? 'void' : 'uncollectible',
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status_transitions: {
      ...invoice.status_transitions,
      ...(gone ? { voided_at: now } : { marked_uncollectible_at: now }),
    },
  })
  tx.emit(gone ? 'invoice.voided' : 'invoice.marked_uncollectible', ended)
  return ended
}

/** Ends a trial: the subscription becomes active and its first full invoice is drafted. Returns the draft. */
export function endTrial(
  tx: Tx,
  subscription: Stripe.Subscription,
  options: { immediately: boolean },
): Stripe.Invoice | undefined {
  const now = tx.now(idOf(subscription.customer))
  if (!hasMethod(tx, subscription)) {
    const behaviour = subscription.trial_settings?.end_behavior.missing_payment_method
    if (behaviour === 'cancel') {
      endSubscription(tx, subscription, 'payment_failed')
      return undefined
    }
    if (behaviour === 'pause') {
      tx.emit('customer.subscription.paused', tx.change(subscription, { status: 'paused' }))
      return undefined
    }
  }
  const anchor = options.immediately ? now : subscription.billing_cycle_anchor
  const { end, share } = periodFrom(subscription, now, anchor)
  const active = { ...subscription, status: 'active' as const, items: moved(subscription, now, end) }
  const invoice = draft(tx, active, options.immediately, periodLines(tx, active, share))
  updateSubscription(tx, tx.need('subscription', subscription.id), {
    status: 'active',
    billing_cycle_anchor: anchor,
    items: active.items,
    latest_invoice: invoice.id,
    ...(options.immediately ? { trial_end: now } : {}),
  })
  return invoice
}

/**
 * Bills a period that begins now instead of with the end of the last one. Returns the draft.
 * `credits`: lines for what is left of the last one.
 */
export function billAnew(tx: Tx, subscription: Stripe.Subscription, credits: readonly LineInput[]): Stripe.Invoice {
  const invoice = draft(tx, subscription, true, [...credits, ...periodLines(tx, subscription, 1)])
  updateSubscription(tx, tx.need('subscription', subscription.id), { latest_invoice: invoice.id })
  return invoice
}

function renew(tx: Tx, subscription: Stripe.Subscription): void {
  const start = subscription.items.data[0]?.current_period_end ?? tx.now()
  const { end, share } = periodFrom(subscription, start)
  const items = moved(subscription, start, end)
  const renewed = { ...subscription, items }
  const invoice = draft(tx, renewed, false, periodLines(tx, renewed, share))
  updateSubscription(tx, tx.need('subscription', subscription.id), { items, latest_invoice: invoice.id })
}

/**
 * Ends a subscription at the day that was set. What is pending is billed all the same ("Any pending invoice items that
 * you've created are still charged at the end of the period": docs.stripe.com/api/subscriptions/cancel).
 */
function endAsSet(tx: Tx, subscription: Stripe.Subscription): void {
  const ended = endSubscription(tx, subscription, 'cancellation_requested')
  if (waitingItems(tx, idOf(ended.customer) ?? '').length === 0) return
  tx.change(ended, { latest_invoice: draft(tx, ended, false, []).id })
}

/** Something that falls due. */
export interface Due {
  at: number
  name: string
  run: (tx: Tx, origin: string) => void
}

function subscriptionDue(state: State, one: Stripe.Subscription): Due | undefined {
  const again = (run: (tx: Tx, subscription: Stripe.Subscription) => void) => (tx: Tx) =>
    run(tx, tx.need('subscription', one.id))
  const end = one.items.data[0]?.current_period_end ?? Infinity
  const all: Due[] = []
  if (one.status === 'incomplete') {
    all.push({
      at: one.created + 23 * HOUR,
      name: 'subscription.expire',
      run: again((tx, now) => {
        updateSubscription(tx, now, { status: 'incomplete_expired', ended_at: tx.now() })
      }),
    })
  }
  if (['trialing', ...RENEWED].includes(one.status) && one.cancel_at !== null) {
    all.push({
      at: one.cancel_at,
      name: 'subscription.cancel',
      run: again(endAsSet),
    })
  }
  const resumes = one.pause_collection?.resumes_at
  if (resumes) {
    all.push({
      at: resumes,
      name: 'subscription.resume_collection',
      run: again((tx, now) => void updateSubscription(tx, now, { pause_collection: null })),
    })
  }
  if (one.status === 'trialing' && one.trial_end !== null) {
    const notice = `trial_will_end ${one.trial_end}`
    if (state.hidden.get(one.id)?.notified !== notice) {
      all.push({
        at: one.trial_end - 3 * DAY,
        name: 'subscription.trial_will_end',
        run: again((tx, now) => {
          tx.hide(now.id, { notified: notice })
          tx.emit('customer.subscription.trial_will_end', now)
        }),
      })
    }
    all.push({
      at: one.trial_end,
      name: 'subscription.trial_end',
      run: again((tx, now) => void endTrial(tx, now, { immediately: false })),
    })
  } else if (RENEWED.includes(one.status)) {
    all.push({ at: end, name: 'subscription.renew', run: again(renew) })
  }
  return all.sort((a, b) => a.at - b.at)[0]
}

function invoiceDue(one: Stripe.Invoice): Due | undefined {
  if (one.auto_advance === false) return undefined
  if (one.status === 'draft' && one.automatically_finalizes_at !== null) {
    return {
      at: one.automatically_finalizes_at,
      name: 'invoice.finalize',
      run: (tx, origin) => {
        const open = finalizeInvoice(tx, tx.need('invoice', one.id))
        if (open.status === 'open' && open.collection_method === 'charge_automatically')
          collect(tx, open, { offSession: true, origin })
      },
    }
  }
  if (one.status === 'open' && one.next_payment_attempt !== null) {
    return {
      at: one.next_payment_attempt,
      name: 'invoice.retry',
      run: (tx, origin) => retry(tx, tx.need('invoice', one.id), origin),
    }
  }
  return undefined
}

/**
 * What is due at or before `until` on one clock (`null`: the sandbox's own): the earliest of each customer, in order of
 * time. The steps of one customer depend on each other, so each call returns one of them; repeat until nothing is left.
 */
export function dueNow(state: State, clock: string | null, until: number): Due[] {
  const first = new Map<string, Due>()
  const take = (customer: string | null, due: Due | undefined): void => {
    if (!due || due.at > until) return
    const known = first.get(customer ?? '')
    if (!known || due.at < known.at) first.set(customer ?? '', due)
  }
  for (const one of state.table('subscription').values()) {
    if (idOf(one.test_clock) === clock) take(idOf(one.customer), subscriptionDue(state, one))
  }
  for (const one of state.table('invoice').values()) {
    if (idOf(one.test_clock) === clock && !state.hidden.get(one.id)?.deleted) take(idOf(one.customer), invoiceDue(one))
  }
  for (const { customer, ...due } of refundsDue(state, clock)) take(customer, due)
  return [...first.values()].sort((one, two) => one.at - two.at)
}

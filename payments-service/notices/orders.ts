/** Mails about buying: the order, the account, the charges that follow it. */
import { isAddOnId, isReadingId, product } from '../../contract/catalogue.ts'
import { collectedAt, periodAfter } from '../../contract/terms.ts'
import type { Deps } from '../deps.ts'
import { type Buyer, latestSubscription, paidWithOf } from './buyer.ts'
import {
  cents,
  common,
  type Compose,
  endingOf,
  type Facts,
  isClosed,
  optional,
  optionalCents,
  paidWithIntent,
  productOf,
  text,
  toSubscriber,
} from './compose.ts'
import { undoables } from '../upsell/undo.ts'
import { promisedEnd } from '../subscriptions/promise.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { isCancelled, nextChargeOf, periodOf, stateOf } from '../subscriptions/state.ts'
import { mailLink, readingLink } from '../mail/mailed-links.ts'
import { shareOfIntent } from '../tax/share.ts'

const isPaused = ({ subscription }: Buyer): boolean => subscription !== null && stateOf(subscription) === 'paused'

/**
 * The first full charge: as Stripe plans it, before that as agreed; null once it was cancelled, here or in the
 * dashboard.
 */
async function firstCharge({ db }: Deps, buyer: Buyer, facts: Facts) {
  const { subscription } = buyer
  if (subscription && isCancelled(subscription)) return null
  const next = subscription && nextChargeOf(subscription)
  if (next) {
    const { next_price_cents: price } = subscription
    return { ...next, ...endingOf(subscription), price, period: periodOf(subscription) }
  }
  if (isPaused(buyer)) return null
  const payment = {
    intentId: text(facts, 'intentId'),
    productId: productOf(facts),
    paidAt: new Date(text(facts, 'paidAt')),
  }
  const end = await promisedEnd(db, payment)
  return end && { amount: subscription?.agreed_cents ?? product('monthly').price, at: collectedAt(end).toISOString() }
}

export const orderConfirmation: Compose = async (deps, buyer, facts) => ({
  kind: 'order_confirmation',
  to: buyer.to,
  data: {
    ...toSubscriber(buyer),
    next: await firstCharge(deps, buyer, facts),
    paused: isPaused(buyer),
    productId: productOf(facts),
    paid: cents(facts, 'amount'),
    paidAt: text(facts, 'paidAt'),
    paidWith: await paidWithIntent(deps, optional(facts, 'intentId')),
    tax: await shareOfIntent(deps.db, optional(facts, 'intentId')),
    // add-ons are bought after the order and have their own receipts
    addOns: [],
    closed: isClosed(buyer, productOf(facts)),
    appUrl: deps.config.appUrl,
    // opening this link proves the address, so it works in any browser
    accountUrl: buyer.hasAccount
      ? null
      : mailLink(deps.config, 'create_account', { subject: buyer.sessionId, to: buyer.to }),
  },
})

/** H-05: the receipt of one add-on, with the link that takes it back while there is time. */
export const addOnReceipt: Compose = async (deps, buyer, facts) => {
  const intentId = text(facts, 'intentId')
  const [undo] = await undoables(deps, { intentId })
  const productId = productOf(facts)
  if (!isAddOnId(productId)) throw new TypeError('a receipt of no add-on')
  const open = undo?.state === 'open'
  const undoUrl = open ? mailLink(deps.config, 'undo_add_on', { subject: intentId, to: buyer.to }) : null
  return {
    kind: 'addon_receipt',
    to: buyer.to,
    data: {
      ...common(buyer),
      items: [{ productId, amount: cents(facts, 'amount'), undoUrl }],
      paidAt: text(facts, 'paidAt'),
      paidWith: await paidWithIntent(deps, intentId),
      tax: await shareOfIntent(deps.db, intentId),
      undoUntil: open ? undo.until.toISOString() : null,
      closed: isClosed(buyer, productId),
      appUrl: deps.config.appUrl,
    },
  }
}

export const oneTimeReceipt: Compose = async (deps, buyer, facts) => ({
  kind: 'one_time_receipt',
  to: buyer.to,
  data: {
    ...common(buyer),
    productId: productOf(facts),
    paid: cents(facts, 'amount'),
    paidAt: text(facts, 'paidAt'),
    paidWith: await paidWithIntent(deps, optional(facts, 'intentId')),
    tax: await shareOfIntent(deps.db, optional(facts, 'intentId')),
    openUrl: readingLink(deps.config, { subject: buyer.sessionId, to: buyer.to }),
    accountUrl: buyer.hasAccount
      ? null
      : mailLink(deps.config, 'create_account', { subject: buyer.sessionId, to: buyer.to }),
  },
})

export const accountWelcome: Compose = (deps, buyer) =>
  Promise.resolve({
    kind: 'account_welcome',
    to: buyer.to,
    data: {
      ...common(buyer),
      email: buyer.to,
      appUrl: deps.config.appUrl,
      readingOnly: buyer.open.length > 0 && buyer.open.every(isReadingId),
      closed: isClosed(buyer, 'monthly'),
    },
  })

/**
 * the reminder of the first full charge. It was planned days ago, so Stripe is read again; without an answer the
 * reminder waits for the next try. Null when nothing will be charged, or another amount or on another day, which has a
 * separate reminder.
 */
export const trialEnds: Compose = async (deps, buyer, facts) => {
  const chargeAt = text(facts, 'chargeAt')
  const amount = optionalCents(facts, 'amount') ?? product('monthly').price
  const known = buyer.subscription?.stripe_subscription_id
  if (known) await syncSubscription(deps, known, undefined)
  const now = await latestSubscription(deps.db, buyer.sessionId)
  if (now?.status !== 'trialing' || now.cancel_requested_at) return null
  if (now.next_charge_cents !== amount || now.next_charge_at?.getTime() !== Date.parse(chargeAt)) return null
  return {
    kind: 'trial_ends',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      productId: productOf(facts),
      amount,
      price: now.next_price_cents,
      ...endingOf(now),
      chargeAt,
      period: periodOf(now),
      paidWith: await paidWithOf(deps, now.payment_method_id),
      appUrl: deps.config.appUrl,
    },
  }
}

/**
 * The charge after a renewal, by that renewal's invoice: of several late receipts, each names its own. Of a period that
 * was over before it was paid: as Stripe plans it. Null when nothing follows, as when the subscription ends with the
 * period that the renewal paid for.
 */
async function chargeAfter({ db }: Deps, { subscription }: Buyer, intentId: string, amount: number, paidAt: string) {
  const intent = await db
    .selectFrom('payment_intents')
    .select('period_end')
    .where('stripe_intent_id', '=', intentId)
    .executeTakeFirst()
  const end = intent?.period_end ?? periodAfter(new Date(paidAt), periodOf(subscription))
  const over = end <= new Date(paidAt)
  const running = over || !subscription?.current_period_end || subscription.current_period_end <= end
  if (subscription && running && subscription.next_charge_at === null) return null
  const known = running ? subscription : null
  return { amount: known?.next_charge_cents ?? amount, at: (known?.next_charge_at ?? collectedAt(end)).toISOString() }
}

export const renewalReceipt: Compose = async (deps, buyer, facts) => {
  const intentId = text(facts, 'intentId')
  const payment = await deps.db
    .selectFrom('payments')
    .select(['id', 'created_at'])
    .where('payment_intent_id', '=', intentId)
    .executeTakeFirst()
  const cancelled = buyer.subscription?.cancel_requested_at
  // charged after the cancellation: it is refunded, and the refund's mail says so
  if (cancelled && payment && payment.created_at > cancelled) return null
  const paidAt = text(facts, 'paidAt')
  const amount = cents(facts, 'amount')
  const next = await chargeAfter(deps, buyer, intentId, amount, paidAt)
  return {
    kind: 'renewal_receipt',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      amount,
      paidAt,
      paidWith: await paidWithIntent(deps, intentId),
      tax: await shareOfIntent(deps.db, intentId),
      nextAmount: next?.amount ?? null,
      nextChargeAt: next?.at ?? null,
      ...endingOf(buyer.subscription),
      paused: isPaused(buyer),
      invoiceUrl: payment ? mailLink(deps.config, 'invoice', { subject: payment.id, to: buyer.to }) : null,
    },
  }
}

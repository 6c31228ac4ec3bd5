/** Mails about refunds, and about access that ended or came back. */
import { isAddOnId, PRODUCT_IDS, type ProductId } from '../../contract/catalogue.ts'
import type { Deps } from '../deps.ts'
import { type Buyer, paidWithOf } from './buyer.ts'
import {
  cents,
  common,
  type Compose,
  endingOf,
  isClosed,
  lastCharge,
  latestGrant,
  optional,
  optionalCents,
  paidWithIntent,
  payToOpenUrl,
  productOf,
  text,
  updateUrl,
} from './compose.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'
import { meaningOf } from '../stripe/subscription-status.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { shareOfIntent } from '../tax/share.ts'

/** Whether the mail about a money-back decision announces this subscription's end. */
async function toldByDecision(deps: Deps, subscriptionId: string | null): Promise<boolean> {
  if (!subscriptionId) return false
  const decided = await deps.db
    .selectFrom('money_back_requests')
    .select('id')
    .where('ended_subscription', '=', subscriptionId)
    .executeTakeFirst()
  return decided !== undefined
}

/**
 * Why a product is closed, as its grant says; null while it is open. The programme's grant names the first payment's
 * product, also where a renewal went back; a charge that opened nothing, or whose access was over before, closes
 * nothing.
 */
async function closedFor(deps: Deps, buyer: Buyer, productId: ProductId): Promise<string | null> {
  const latest = await latestGrant(deps, buyer, productId)
  return latest?.revoked_at ? latest.revoked_reason : null
}

export const refund: Compose = async (deps, buyer, facts) => {
  // a charge that could not be adopted may be for a product that is sold no more
  const product = PRODUCT_IDS.find((id) => id === facts['productId'])
  const closed = product !== undefined && (await closedFor(deps, buyer, product)) === 'refunded'
  const refundedAt = text(facts, 'refundedAt')
  const taxAmount = optionalCents(facts, 'tax')
  const share = await shareOfIntent(deps.db, optional(facts, 'intentId'))
  return {
    kind: 'refund',
    to: buyer.to,
    data: {
      ...common(buyer),
      amount: cents(facts, 'amount'),
      tax: taxAmount && share ? { name: share.name, taxAmount } : null,
      refundedAt,
      productIds: product ? [product] : [],
      paidWith: await paidWithIntent(deps, optional(facts, 'intentId')),
      accessEndsAt: closed ? refundedAt : null,
    },
  }
}

/** A refund that the bank returned or cannot take: what happens next. */
export const refundFailed: Compose = async (deps, buyer, facts) => {
  const intentId = text(facts, 'intentId')
  const payment = await deps.db
    .selectFrom('payments')
    .select(['product_id', 'settled_at'])
    .where('payment_intent_id', '=', intentId)
    .executeTakeFirstOrThrow()
  const next = text(facts, 'next')
  if (next !== 'again' && next !== 'bank' && next !== 'person')
    throw new TypeError('a refund that fails without a next')
  return {
    kind: 'refund_failed',
    to: buyer.to,
    data: {
      ...common(buyer),
      productId: productOf({ productId: payment.product_id }),
      amount: cents(facts, 'amount'),
      paidAt: (payment.settled_at ?? new Date()).toISOString(),
      paidWith: await paidWithIntent(deps, intentId),
      next,
    },
  }
}

export const duplicateRefunded: Compose = async (deps, buyer, facts) => {
  const intentId = text(facts, 'intentId')
  const second = await deps.db
    .selectFrom('payments')
    .select(['purpose', 'settled_at', 'payment_method_id'])
    .where('payment_intent_id', '=', intentId)
    .executeTakeFirstOrThrow()
  const kept = await deps.db
    .selectFrom('payments')
    .select('payment_method_id')
    .where('session_id', '=', buyer.sessionId)
    .where('purpose', '=', second.purpose)
    .where('is_duplicate', '=', false)
    .executeTakeFirst()
  const held = kept ? undefined : await heldElsewhere(deps.db, buyer.to, buyer.sessionId)
  const cancelUrl = held && mailLink(deps.config, 'cancel', { subject: held.session_id, to: buyer.to })
  return {
    kind: 'duplicate_refunded',
    to: buyer.to,
    data: {
      ...common(buyer),
      ...(cancelUrl ? { cancelUrl } : {}),
      elsewhere: kept === undefined,
      payUrl: held ? payToOpenUrl(deps, { sessionId: held.session_id, to: buyer.to }, held.status) : null,
      runs: held !== undefined || (second.purpose === 'first' && buyer.cancelUrlIfLive !== null),
      productId: productOf(facts),
      amount: cents(facts, 'amount'),
      paidAt: (second.settled_at ?? new Date()).toISOString(),
      kept: await paidWithOf(deps, kept?.payment_method_id ?? null),
      refunded: await paidWithOf(deps, second.payment_method_id),
    },
  }
}

export const accessEnded: Compose = async (deps, buyer, facts) => {
  if (await toldByDecision(deps, optional(facts, 'subscriptionId'))) return null
  const { payment_status } = await deps.db
    .selectFrom('sessions')
    .select('payment_status')
    .where('id', '=', buyer.sessionId)
    .executeTakeFirstOrThrow()
  const failed = facts['reason'] === 'payment_failed'
  // the session's status says `disputed` while the bank decides, too, and of a reading
  const closed = await closedFor(deps, buyer, 'monthly')
  const reason =
    closed === 'dispute_lost'
      ? ('disputed' as const)
      : closed === 'refunded' || payment_status === 'refunded'
        ? ('refunded' as const)
        : failed
          ? ('payment_failed' as const)
          : ('cancelled' as const)
  const repairable = failed && buyer.subscription?.status === 'unpaid'
  // paid since, while this waited
  const open = buyer.subscription && meaningOf(buyer.subscription.status).renews
  if (open && buyer.subscription?.stripe_subscription_id === optional(facts, 'subscriptionId')) return null
  return {
    kind: 'access_ended',
    to: buyer.to,
    data: {
      ...common(buyer),
      reason,
      // a mail of an earlier release does not say
      asked: reason === 'cancelled' && facts['asked'] === true,
      endedAt: text(facts, 'endedAt'),
      dropped: reason === 'cancelled' ? optionalCents(facts, 'dropped') : null,
      returnUrl: repairable ? updateUrl(deps, buyer) : deps.config.appUrl,
      final: reason === 'payment_failed' && !repairable,
      last: reason === 'cancelled' ? lastCharge(buyer) : null,
      keptAddOns: buyer.addOns,
    },
  }
}

/** P-12: null if the product is open again. */
export const purchaseEnded: Compose = async (deps, buyer, facts) => {
  const productId = productOf(facts)
  if (!isClosed(buyer, productId)) return null
  const endedAt = text(facts, 'endedAt')
  const payment = await deps.db
    .selectFrom('payments')
    .select(['amount_cents', 'settled_at'])
    .where('payment_intent_id', '=', text(facts, 'intentId'))
    .executeTakeFirstOrThrow()
  return {
    kind: 'purchase_ended',
    to: buyer.to,
    data: {
      ...common(buyer),
      productId,
      amount: payment.amount_cents,
      paidAt: payment.settled_at?.toISOString() ?? endedAt,
      endedAt,
      appUrl: deps.config.appUrl,
      keptAddOns: buyer.addOns,
    },
  }
}

/** P-12: what a dispute, won in the end, or a cancelled refund has opened again, and what is charged next. */
export const accessReopened: Compose = (deps, buyer, facts) => {
  const named = facts['productIds']
  const productIds = PRODUCT_IDS.filter((id) => Array.isArray(named) && named.includes(id))
  const { subscription } = buyer
  const until = productIds.every(isAddOnId) ? null : (subscription?.open_until ?? null)
  return Promise.resolve({
    kind: 'access_reopened',
    to: buyer.to,
    data: {
      ...common(buyer),
      productIds,
      refund: facts['refund'] === true,
      openUntil: until?.toISOString() ?? null,
      next: subscription && nextChargeOf(subscription),
      ...endingOf(subscription),
      appUrl: deps.config.appUrl,
    },
  })
}

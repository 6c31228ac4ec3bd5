/** Mails about a subscription that changes its price, fails, is cancelled, or goes on after all. */
import { sql } from 'kysely'
import { everyWords, samePeriod } from '../../contract/period.ts'
import type { Deps } from '../deps.ts'
import { MAIL_SENT } from '../jobs/outbox.queries.ts'
import { type Buyer, paidWithOf } from './buyer.ts'
import {
  cents,
  common,
  type Compose,
  endingOf,
  type Facts,
  lastCharge,
  optional,
  paidWithSubscription,
  text,
  toSubscriber,
  updateUrl,
} from './compose.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { announcedPrice } from './running.ts'
import { reread } from '../subscriptions/cancel.ts'
import { toldPrice } from '../subscriptions/price-change.ts'
import { isCancelled, nextChargeOf, periodOf, stateOf } from '../subscriptions/state.ts'
import { grantedRequests, isBeingGivenBack } from '../subscriptions/granted.ts'
import { meaningOf } from '../stripe/subscription-status.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { isFailed } from '../subscriptions/upcoming.ts'

/**
 * H-01: Stripe is read again; without an answer the mail waits for the next try. Null when that price or period is no
 * longer the next one, was announced already, or is never charged.
 */
export const priceChanged: Compose = async (deps, buyer, facts) => {
  if (optional(facts, 'plan')) return announcedPrice(deps, buyer, facts)
  const subject = buyer.subscription
  if (!subject?.stripe_subscription_id || subject.id !== text(facts, 'subscription')) return null
  const look = await syncSubscription(deps, subject.stripe_subscription_id, undefined)
  const row = await reread(deps, subject.id)
  if (!look?.next || !nextChargeOf(row) || stateOf(row) === 'ending') return null
  const { next } = look
  const { price: told, period: before } = await toldPrice(deps.db, row)
  const period = periodOf(row)
  if (told === null || next.price !== cents(facts, 'price')) return null
  if ((optional(facts, 'every') ?? everyWords(before)) !== everyWords(period)) return null
  if (next.price === told && samePeriod(period, before)) return null
  // another period was charged when it began; else sent late: the new price has already been charged
  const since = Math.max(Date.now(), (look.subscription.periodStart?.getTime() ?? 0) + 1)
  const charged = Date.parse(text(facts, 'chargeAt')) < since
  return {
    kind: 'price_changed',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      oldAmount: told,
      oldPeriod: before,
      newAmount: next.price,
      newPeriod: period,
      fromAt: charged ? text(facts, 'chargeAt') : next.at.toISOString(),
      nextAmount: next.amount,
      nextChargeAt: next.at.toISOString(),
      ...endingOf(row),
      paidWith: await paidWithOf(deps, row.payment_method_id),
    },
  }
}

/**
 * Dunning: one mail after each failure while access lasts; once Stripe has ended it, the mail about the end of access
 * is sent instead. Stripe is read again, as for `trialEnds`: it may have planned the next try after the failure was
 * seen, or moved it since. Null where the invoice is not open any more.
 */
export const paymentFailed: Compose = async (deps, buyer, facts) => {
  const { subscription } = buyer
  if (!subscription?.stripe_subscription_id) return null
  // the row may be older than the failure: what Stripe says now counts
  const look = await syncSubscription(deps, subscription.stripe_subscription_id, undefined)
  const now = await reread(deps, subscription.id)
  const invoice = look?.invoices.find(({ id }) => id === text(facts, 'invoiceId'))
  if (now.status !== 'past_due' || now.cancel_requested_at || !invoice || !isFailed(invoice)) return null
  if ((await failedAgain(deps, buyer, facts)) || (await wasToldOfRefusal(deps, buyer, facts))) return null
  return {
    kind: 'payment_failed',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      amount: cents(facts, 'amount'),
      attempt: cents(facts, 'attempt'),
      nextTryAt: invoice.nextAttempt?.toISOString() ?? null,
      refusedForGood: invoice.refusedForGood ?? null,
      paidWith: await paidWithSubscription(deps, buyer),
      updateUrl: updateUrl(deps, buyer),
    },
  }
}

/** The jobs of the mails about the failed tries of an invoice. */
const failuresOf = ({ db }: Deps, { sessionId }: Buyer, facts: Facts) =>
  db
    .selectFrom('outbox')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'mail:payment_failed')
    .where(sql`payload ->> 'invoiceId'`, '=', text(facts, 'invoiceId'))

/** Whether a later try has failed, too, while this mail waited: that one names the next try. */
async function failedAgain(deps: Deps, buyer: Buyer, facts: Facts): Promise<boolean> {
  const later = await failuresOf(deps, buyer, facts)
    .where(sql<boolean>`(payload ->> 'attempt')::int > ${cents(facts, 'attempt')}`)
    .executeTakeFirst()
  return later !== undefined
}

/**
 * Whether an earlier mail has told that this method is refused for good for this invoice: Stripe counts the tries that
 * it does not make, too, and nothing has happened since.
 */
async function wasToldOfRefusal(deps: Deps, buyer: Buyer, facts: Facts): Promise<boolean> {
  const method = optional(facts, 'refusedMethod')
  if (!method) return false
  const told = await failuresOf(deps, buyer, facts)
    .where(sql`payload ->> 'refusedMethod'`, '=', method)
    .where(sql<boolean>`(payload ->> 'attempt')::int < ${cents(facts, 'attempt')}`)
    .where(MAIL_SENT)
    .executeTakeFirst()
  return told !== undefined
}

/**
 * H-04. Null where it was taken back while the mail waited, and where the subscription ends with a withdrawal or a
 * granted request: these have mails of their own.
 */
export const cancellationConfirmed: Compose = async (deps, buyer, facts) => {
  const granted = await grantedRequests(deps.db, buyer.sessionId)
    // the database counts microseconds, a fact of a job milliseconds
    .where('decided_at', '<', new Date(Date.parse(text(facts, 'canceledAt')) + 1))
    .executeTakeFirst()
  if (granted || (await isBeingGivenBack(deps.db, buyer.sessionId))) return null
  const accessUntil = text(facts, 'accessUntil')
  const { subscription } = buyer
  const state = subscription && stateOf(subscription)
  if (subscription && !isCancelled(subscription)) return null
  return {
    kind: 'cancellation_confirmed',
    to: buyer.to,
    data: {
      ...common(buyer),
      cancelUrl: null,
      canceledAt: text(facts, 'canceledAt'),
      accessUntil,
      undoUrl: mailLink(deps.config, 'undo_cancel', {
        subject: buyer.sessionId,
        to: buyer.to,
        expiresAt: new Date(accessUntil),
      }),
      over: state === 'ended',
      keptAddOns: buyer.addOns,
      last: lastCharge(buyer),
    },
  }
}

/** The next charge is the one planned now. Null where it was cancelled again while the mail waited. */
export const cancellationUndone: Compose = (deps, buyer) => {
  const { subscription } = buyer
  if (!subscription || isCancelled(subscription)) return Promise.resolve(null)
  const next = nextChargeOf(subscription)
  const owed = meaningOf(subscription.status).owed ? subscription.owed_cents : null
  return Promise.resolve({
    kind: 'cancellation_undone',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      amount: next?.amount ?? null,
      price: subscription.next_price_cents,
      nextChargeAt: next?.at ?? null,
      ...endingOf(subscription),
      period: periodOf(subscription),
      owed: owed === null ? null : { amount: owed, updateUrl: updateUrl(deps, buyer) },
    },
  })
}

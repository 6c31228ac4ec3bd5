/** Mails that time sets off while a subscription runs: a reminder, a second right to withdraw, an announced price. */
import { endOfDays } from '../../contract/last-day.ts'
import { WITHDRAWAL_DAYS } from '../../contract/members.ts'
import { ORDERED_PERIOD, samePeriod } from '../../contract/period.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from '../mail/mail.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { reread } from '../subscriptions/cancel.ts'
import { openPlan } from '../subscriptions/planned-price.ts'
import { nextChargeOf, periodOf, stateOf } from '../subscriptions/state.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import { type Buyer, paidWithOf } from './buyer.ts'
import { type Compose, endingOf, type Facts, optional, text, toSubscriber } from './compose.ts'

/** The buyer's subscription and its next charge, as Stripe says now; null when it charges nothing more. */
async function running(deps: Deps, { subscription }: Buyer, facts: Facts) {
  if (!subscription?.stripe_subscription_id || subscription.id !== text(facts, 'subscription')) return null
  const look = await syncSubscription(deps, subscription.stripe_subscription_id, undefined)
  const row = await reread(deps, subscription.id)
  if (!look?.next || !nextChargeOf(row) || stateOf(row) === 'ending') return null
  return { row, look, next: look.next }
}

/** Once a year, in the United Kingdom twice: price, period and how to leave. Null once it charges nothing more. */
export const yearlyReminder: Compose = async (deps, buyer, facts) => {
  const now = await running(deps, buyer, facts)
  if (!now) return null
  return {
    kind: 'yearly_reminder',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      since: text(facts, 'since'),
      amount: now.next.price ?? now.next.amount,
      period: periodOf(now.row),
      ...endingOf(now.row),
      nextAmount: now.next.amount,
      nextChargeAt: now.next.at.toISOString(),
      paidWith: await paidWithOf(deps, now.row.payment_method_id),
    },
  }
}

/** H-02: the trial turned paid where that begins a second time to withdraw. Null once it was cancelled. */
export const secondWithdrawal: Compose = async (deps, buyer, facts) => {
  const now = await running(deps, buyer, facts)
  if (!now) return null
  const from = text(facts, 'from')
  const until = endOfDays(new Date(from), WITHDRAWAL_DAYS, buyer.timeZone)
  return {
    kind: 'second_withdrawal',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      withdrawUrl: mailLink(deps.config, 'withdraw', {
        subject: buyer.sessionId,
        to: buyer.to,
        expiresAt: until,
      }),
      from,
      until: until.toISOString(),
      amount: now.next.price ?? now.next.amount,
      period: periodOf(now.row),
      ...endingOf(now.row),
    },
  }
}

/** H-01: a price that is announced before Stripe knows it. Null when its plan is done with, or the buyer is leaving. */
export async function announcedPrice(deps: Deps, buyer: Buyer, facts: Facts): Promise<Mail | null> {
  const now = await running(deps, buyer, facts)
  const plan = now && (await openPlan(deps.db, now.row.id))
  if (!now || !plan?.from_at || plan.id !== optional(facts, 'plan')) return null
  const { amount, price, at } = now.next
  const period = periodOf(now.row)
  if (now.look.subscription.amount !== plan.old_cents || !samePeriod(period, ORDERED_PERIOD)) return null
  return {
    kind: 'price_changed',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      oldAmount: plan.old_cents,
      oldPeriod: period,
      newAmount: plan.new_cents,
      newPeriod: period,
      fromAt: text(facts, 'chargeAt'),
      // a sum taken off the next charge is taken off the new price
      nextAmount: plan.new_cents + amount - (price ?? amount),
      nextChargeAt: at.toISOString(),
      ...endingOf(now.row),
      paidWith: await paidWithOf(deps, now.row.payment_method_id),
    },
  }
}

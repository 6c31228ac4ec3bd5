import type { MoneyBackRequestView, ProgrammeView, SubscriptionView } from '../../contract/members.ts'
import { formatMoney, laterPrice } from '../../contract/money.ts'
import { everyWords, LAST_CUT_SHORT, type Period } from '../../contract/period.ts'
import { isLastBefore } from '../../contract/terms.ts'

/** Whether a session was completed today, by the calendar where the member is; a service of before names no time. */
export const isDone = ({ doneToday, lastListenedAt: at }: Pick<ProgrammeView, 'doneToday' | 'lastListenedAt'>) =>
  at ? new Date(at).toDateString() === new Date().toDateString() : doneToday

/** A day as a reader sees it, in their own time zone: "November 23, 2026". */
export function longDay(iso: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(iso))
}

/** The withdrawal that was asked for last; a service of before names it as the request for money back alone. */
export function withdrawalOf(
  named: MoneyBackRequestView | null,
  subscription: SubscriptionView | null,
): MoneyBackRequestView | null {
  const request = subscription?.moneyBack.request
  return named ?? (request?.kind === 'withdrawal' && request.status !== 'declined' ? request : null)
}

export interface Standing {
  label: string
  tone: 'good' | 'info' | 'caution' | 'danger'
  /** One sentence that says what happens next, and when. */
  next: string
}

/** The state of a subscription and what follows, with date and amount (A-05). */
export function standingOf(subscription: SubscriptionView): Standing {
  const { state, accessUntil, owed, resumesAt } = subscription
  switch (state) {
    case 'not_started':
      return {
        label: 'Not paid',
        tone: 'info',
        next:
          'It starts when its first payment goes through. Until then there is no subscription, ' +
          'and nothing is charged.',
      }
    case 'starting':
      return { label: 'Starting', tone: 'info', next: 'Your payment has arrived. Your subscription is being set up.' }
    case 'trial':
      return { label: 'Trial', tone: 'good', next: chargeWords(subscription) }
    case 'active':
      return { label: 'Active', tone: 'good', next: chargeWords(subscription) }
    case 'paused':
      return {
        label: 'Paused',
        tone: 'info',
        next: subscription.nextCharge
          ? chargeWords(subscription)
          : `Charges are paused${resumesAt ? ` until ${longDay(resumesAt)}` : ''}. Nothing is charged ` +
            'automatically meanwhile.',
      }
    case 'ending':
      return { label: 'Cancelled', tone: 'info', next: endingWords(subscription) }
    case 'cancelling':
      return {
        label: 'Cancellation received',
        tone: 'info',
        next:
          'We have your cancellation and carry it out as soon as our payment provider answers. ' +
          'Nothing more is charged; if a charge is on its way at this moment, it goes back to you by itself.',
      }
    case 'late':
      return {
        label: 'Payment failed',
        tone: 'caution',
        next: lateWords(subscription) + (accessUntil ? ` Your subscription ends on ${longDay(accessUntil)}.` : ''),
      }
    case 'unpaid':
      return {
        label: 'Closed',
        tone: 'danger',
        next:
          `${owed === null ? 'The last charge' : formatMoney(owed)} could not be charged. Once it is paid, the ` +
          `programme opens again with your progress. ${afterOwedWords(subscription)}`.trim(),
      }
    case 'ended':
      return {
        label: 'Ended',
        tone: 'info',
        next:
          `Your subscription ended${accessUntil ? ` on ${longDay(accessUntil)}` : ''}. ` +
          (addedWords(subscription) ?? 'Nothing more is charged.'),
      }
  }
}

/** The period that is charged. A replica of the release before, beside a newer page, says it in days only. */
function periodIn({ everyDays, ...view }: Pick<SubscriptionView, 'everyDays'> & Partial<SubscriptionView>): Period {
  return view.period ?? { unit: 'day', count: everyDays }
}

/** How often it is charged. */
export const howOften = (subscription: SubscriptionView): string => everyWords(periodIn(subscription))

function chargeWords(subscription: SubscriptionView): string {
  const { nextCharge, collecting, state, price, accessUntil } = subscription
  if (!nextCharge) return 'Next charge: soon.'
  const amount = formatMoney(nextCharge.amount)
  const on = longDay(nextCharge.at)
  if (collecting) return `${amount} for the period that has begun is charged on ${on}.`
  // an end that was set in the payment provider's dashboard
  const end = accessUntil && `it ends on ${longDay(accessUntil)}`
  const next = `Next charge: ${amount} on ${on}`
  if (state !== 'trial') return `${next}.${end ? ` Unless you cancel before, ${end}.` : ''}`
  if (end && isLastBefore(accessUntil, nextCharge.at, periodIn(subscription))) {
    return `${next}, and nothing after that: ${end}.`
  }
  const later = laterPrice(nextCharge.amount, price)
  const then = later.price === nextCharge.amount ? 'the same' : formatMoney(later.price)
  const short = subscription.lastCutShort ? ` ${LAST_CUT_SHORT}` : ''
  return `${next}, then ${then} ${howOften(subscription)} until ${end ?? 'you cancel'}${later.but}.${short}`
}

/** What was added to the last bill, in the payment provider's dashboard, is still charged at the end. */
function addedWords({ nextCharge }: SubscriptionView): string | null {
  if (!nextCharge) return null
  const { amount, at } = nextCharge
  return `${formatMoney(amount)} that was added to your bill is charged on ${longDay(at)}, nothing after it.`
}

function endingWords(subscription: SubscriptionView): string {
  const { accessUntil, nextCharge, collecting } = subscription
  const open = `Everything stays open until ${accessUntil ? longDay(accessUntil) : 'the end of what is paid'}.`
  if (!nextCharge) return `No further charge. ${open}`
  if (!collecting) return `${addedWords(subscription)} ${open}`
  // cancelled in the payment provider's dashboard while a charge was in progress
  return `${formatMoney(nextCharge.amount)} for the period that has begun is still charged, nothing after it. ${open}`
}

function lateWords({ owed, nextCharge }: SubscriptionView): string {
  // an operator has invoices sent instead of charged (docs.stripe.com/api/subscriptions/object, collection_method)
  if (owed === null) return 'A payment is still open. The invoice that came by mail says how to pay it.'
  const failed = `We could not charge ${formatMoney(owed)}.`
  return nextCharge
    ? `${failed} We try again on ${longDay(nextCharge.at)}; everything stays open meanwhile.`
    : `${failed} Please pay it.`
}

/** What follows the payment of what is owed: its period may be nearly over. */
export const afterOwedWords = ({ chargeAfterOwed }: SubscriptionView): string =>
  chargeAfterOwed ? `The period after it is charged on ${longDay(chargeAfterOwed)}, unless you cancel before.` : ''

/** What a cancellation does, before it is done. */
export function cancelWords({ paidUntil, nextCharge, collecting, state }: SubscriptionView): string {
  if (paidUntil) return `It ends on ${longDay(paidUntil)}. You keep access until then, and nothing more is charged.`
  if (nextCharge && collecting) {
    return (
      `It ends now. The ${formatMoney(nextCharge.amount)} for the period that has begun is not charged, and ` +
      `nothing after it.`
    )
  }
  if (state === 'starting') return 'It never renews. What you paid for stays open to its end.'
  return 'It ends now. Nothing more is charged.'
}

/** The title above the result of a cancellation. */
export function cancelledTitle({ state }: SubscriptionView): string {
  if (state === 'cancelling') return 'We have your cancellation.'
  return state === 'ended' ? 'Your subscription has ended.' : 'Your subscription is cancelled.'
}

/** The title of the page that takes a cancellation back, where there is nothing to take back any more. */
export function keptTitle(subscription: SubscriptionView): string {
  const cancelled = ['ended', 'ending', 'cancelling'].includes(subscription.state)
  return cancelled ? cancelledTitle(subscription).replace(/\.$/, '') : 'Your subscription continues'
}

/** When the confirmation mail arrives. */
export function confirmationWords({ state }: SubscriptionView): string {
  return state === 'cancelling'
    ? 'A confirmation comes to your mailbox once it is done.'
    : 'A confirmation is on its way to your mailbox.'
}

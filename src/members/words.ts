import type { CardView, SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'

/** A day as a reader sees it, in their own time zone: "November 23, 2026". */
export function longDay(iso: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(iso))
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** "Visa ending in 4242", "PayPal". */
export function methodWords(paidWith: CardView | null): string {
  if (!paidWith) return 'your saved payment method'
  if (paidWith.type === 'paypal') return 'PayPal'
  return `${BRANDS[paidWith.brand] ?? 'Card'} ending in ${paidWith.last4}`
}

export interface Standing {
  label: string
  tone: 'good' | 'info' | 'caution' | 'danger'
  /** One sentence that says what happens next, and when. */
  next: string
}

/** How a subscription stands and what follows, with date and amount (A-05). */
export function standingOf(subscription: SubscriptionView): Standing {
  const { state, nextCharge, accessUntil, owed, everyDays } = subscription
  const charge = nextCharge && `${formatMoney(nextCharge.amount)} on ${longDay(nextCharge.at)}`
  switch (state) {
    case 'starting':
      return { label: 'Starting', tone: 'info', next: 'Your payment has arrived. Your subscription is being set up.' }
    case 'trial':
      return {
        label: 'Trial',
        tone: 'good',
        next: `Next charge: ${charge ?? 'soon'}, then the same every ${everyDays} days until you cancel.`,
      }
    case 'active':
      return { label: 'Active', tone: 'good', next: `Next charge: ${charge ?? 'soon'}.` }
    case 'ending':
      return {
        label: 'Cancelled',
        tone: 'info',
        next: `No further charge. Everything stays open until ${accessUntil ? longDay(accessUntil) : 'the end of what is paid'}.`,
      }
    case 'late':
      return {
        label: 'Payment failed',
        tone: 'caution',
        next: `We could not charge ${formatMoney(owed ?? 0)}. We try again; everything stays open meanwhile.`,
      }
    case 'unpaid':
      return {
        label: 'Closed',
        tone: 'danger',
        next: `${formatMoney(owed ?? 0)} could not be charged. Once it is paid, the programme opens again with your progress.`,
      }
    case 'ended':
      return {
        label: 'Ended',
        tone: 'info',
        next: `Your subscription ended${accessUntil ? ` on ${longDay(accessUntil)}` : ''}. Nothing more is charged.`,
      }
  }
}

/** Whether there is something to cancel. */
export function canCancel({ state }: SubscriptionView): boolean {
  return state === 'trial' || state === 'active' || state === 'late' || state === 'unpaid'
}

/** Test cards, time zones, and the calls to Stripe that can fail: the service's, and the page's after a press. */
import type { Opened } from '../buyer.ts'
import type { Claim } from './claims.ts'

export const CARDS = {
  good: 'pm_card_visa',
  declined: 'pm_card_visa_chargeDeclined',
  bank: 'pm_card_authenticationRequiredOnSetup',
  left: 'pm_card_authenticationRequiredOnSetup',
  closed: '',
  elsewhere: 'pm_card_visa',
  unrefundable: 'pm_card_refundFail',
} as const
export const PATHS = {
  intent: { method: 'POST', path: '/v1/payment_intents' },
  press: { method: 'POST', path: '/v1/payment_intents/*/confirm', from: 'browser' },
  confirm: { method: 'POST', path: '/v1/payment_intents/*/confirm' },
  read: { method: 'GET', path: '/v1/payment_intents' },
  subscription: { method: 'POST', path: '/v1/subscriptions' },
  refund: { method: 'POST', path: '/v1/refunds' },
  customer: { method: 'POST', path: '/v1/customers' },
  setup: { method: 'POST', path: '/v1/setup_intents' },
  end: { method: 'DELETE', path: '/v1/subscriptions' },
  invoice: { method: 'POST', path: '/v1/invoices' },
} as const
export const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Pacific/Auckland',
]
export const PASSWORD = 'Better Eyes 1'

/** An order page in an open tab. */
export interface Tab extends Opened {
  status: string
  shown: number
  next: Claim | undefined
}

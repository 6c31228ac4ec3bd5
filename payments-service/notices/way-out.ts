import { DAY } from '../../contract/time.ts'
import type { Mail } from '../mail/mail.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import type { Buyer } from './buyer.ts'

/** H-04: fresh links to cancel and withdraw, mailed to the address on record. */
export function wayOut(buyer: Buyer): Mail {
  const next = buyer.subscription && nextChargeOf(buyer.subscription)
  return {
    kind: 'fresh_cancel_link',
    to: buyer.to,
    data: {
      name: buyer.name,
      timeZone: buyer.timeZone,
      cancelUrl: buyer.cancelUrl,
      withdrawUrl: buyer.withdrawUrl,
      expiresAt: new Date(Date.now() + 60 * DAY).toISOString(),
      nextChargeAt: next?.at ?? null,
      amount: next?.amount ?? null,
    },
  }
}

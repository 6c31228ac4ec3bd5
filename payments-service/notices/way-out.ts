import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { mailLink } from '../mail/mailed-links.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { type Compose, toSubscriber } from './compose.ts'

/**
 * H-04: queues fresh links to cancel and withdraw, for the address that is on record when they are sent. `corrected`:
 * because it is another one now; `freshFor`: what was asked for, if not to cancel.
 */
export async function mailWayOut(
  tx: Database,
  sessionId: string,
  reason: string,
  why: { corrected?: boolean; freshFor?: 'withdraw' },
): Promise<void> {
  await enqueue(tx, { kind: 'mail:fresh_cancel_link', reason, sessionId, payload: why })
}

export const freshCancelLink: Compose = ({ config }, buyer, facts) => {
  const mail = { kind: 'fresh_cancel_link', to: buyer.to } as const
  const { sessionId: subject, to } = buyer
  if (facts['freshFor'] === 'withdraw') {
    // after the last day it shows what became of the withdrawal
    const withdrawUrl = buyer.withdrawUrl ?? mailLink(config, 'withdraw', { subject, to })
    return Promise.resolve({ ...mail, data: { ...toSubscriber(buyer), withdrawUrl, freshFor: 'withdraw' } })
  }
  const next = buyer.subscription && nextChargeOf(buyer.subscription)
  return Promise.resolve({
    ...mail,
    data: {
      ...toSubscriber(buyer),
      corrected: facts['corrected'] === true,
      expiresAt: new Date(Date.now() + 60 * DAY).toISOString(),
      nextChargeAt: next?.at ?? null,
      amount: next?.amount ?? null,
    },
  })
}

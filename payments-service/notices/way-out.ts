import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { type Compose, toSubscriber } from './compose.ts'

/** H-04: queues fresh links to cancel and withdraw, for the address that is on record when they are sent. */
export async function mailWayOut(tx: Database, sessionId: string, reason: string): Promise<void> {
  await enqueue(tx, { kind: 'mail:fresh_cancel_link', reason, sessionId, payload: {} })
}

export const freshCancelLink: Compose = (_deps, buyer) => {
  const next = buyer.subscription && nextChargeOf(buyer.subscription)
  return Promise.resolve({
    kind: 'fresh_cancel_link',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      expiresAt: new Date(Date.now() + 60 * DAY).toISOString(),
      nextChargeAt: next?.at ?? null,
      amount: next?.amount ?? null,
    },
  })
}

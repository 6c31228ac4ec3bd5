import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import { nextChargeOf } from '../subscriptions/state.ts'
import { type Compose, toSubscriber } from './compose.ts'

/**
 * H-04: queues fresh links to cancel and withdraw, for the address that is on record when they are sent. `corrected`:
 * because it is another one now.
 */
export async function mailWayOut(tx: Database, sessionId: string, reason: string, corrected = false): Promise<void> {
  await enqueue(tx, { kind: 'mail:fresh_cancel_link', reason, sessionId, payload: { corrected } })
}

export const freshCancelLink: Compose = (_deps, buyer, facts) => {
  const next = buyer.subscription && nextChargeOf(buyer.subscription)
  return Promise.resolve({
    kind: 'fresh_cancel_link',
    to: buyer.to,
    data: {
      ...toSubscriber(buyer),
      corrected: facts['corrected'] === true,
      expiresAt: new Date(Date.now() + 60 * DAY).toISOString(),
      nextChargeAt: next?.at ?? null,
      amount: next?.amount ?? null,
    },
  })
}

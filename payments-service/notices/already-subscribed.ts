import { emailKey } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { enqueue, stableId } from '../jobs/outbox.queries.ts'
import { heldElsewhere } from '../payments/one-an-address.ts'
import { isCancelled } from '../subscriptions/state.ts'
import { readBuyer } from './buyer.ts'
import { type Compose, payToOpenUrl, text, toSubscriber } from './compose.ts'

/**
 * P-14: tells the owner of a subscription that an order was begun with its address. The reason limits it: one a day for
 * an address, whether the one before was sent or waits, and from however many visits.
 */
export async function mailAlreadySubscribed(deps: Deps, sessionId: string): Promise<void> {
  const session = await deps.db
    .selectFrom('sessions')
    .select('email')
    .where('id', '=', sessionId)
    .where('payment_status', '=', 'unpaid')
    .executeTakeFirst()
  const held = await heldElsewhere(deps.db, session?.email ?? null, sessionId)
  const buyer = held && (await readBuyer(deps, held.session_id))
  if (!buyer) return
  const day = new Date().toISOString().slice(0, 10)
  await enqueue(deps.db, {
    kind: 'mail:already_subscribed',
    reason: `${stableId(buyer.to)}:${day}`,
    sessionId: buyer.sessionId,
    payload: { to: buyer.to },
  })
}

/** Null where the buyer has left or has another address by now: there is no subscription to speak of. */
export const alreadySubscribed: Compose = (deps, buyer, facts) => {
  const { subscription, to } = buyer
  const other = emailKey(to) !== emailKey(text(facts, 'to'))
  if (other || !subscription || isCancelled(subscription)) return Promise.resolve(null)
  return Promise.resolve({
    kind: 'already_subscribed',
    to,
    data: {
      ...toSubscriber(buyer),
      appUrl: deps.config.appUrl,
      payUrl: payToOpenUrl(deps, buyer, subscription.status),
    },
  })
}

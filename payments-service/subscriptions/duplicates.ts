import type { Deps } from '../deps.ts'
import type { OutboxHandler } from '../jobs/outbox.ts'
import { startSubscription } from './start.ts'
import { isOver } from '../stripe/subscription-status.ts'
import { findBySource, linkSubscription } from '../payments/subscriptions.queries.ts'
import { giveBack } from '../payments/give-back.ts'
import { oweNow } from '../refunds/owe.ts'
import { settlePayment } from '../payments/settle.ts'

/**
 * P-14: refunds a second charge. The mail follows from the refund's fact. If the charge was the first of a
 * subscription, that subscription is ended first, which makes room for the kept payment's.
 */
export const refundDuplicate: OutboxHandler = async (deps, job) => {
  const id = job.payload['intentId']
  if (typeof id !== 'string') throw new Error('a duplicate without its intent')
  await endSubscriptionOf(deps, id)
  const owed = job.session_id && (await oweNow(deps, { sessionId: job.session_id, intentId: id, cause: 'duplicate' }))
  if (owed) await giveBack(deps, owed.id, undefined)
  else await settlePayment(deps, id, undefined)
  const kept = job.payload['keptIntentId']
  if (typeof kept === 'string') await startSubscription(deps, kept, undefined)
}

/**
 * Only the monthly product is paid by its subscription's own invoice; for all others no row
 * has the intent as its source.
 */
async function endSubscriptionOf({ db, stripe }: Deps, intentId: string): Promise<void> {
  const row = await findBySource(db, intentId)
  if (!row?.stripe_subscription_id || isOver(row.status)) return
  const now = await stripe.readSubscription(row.stripe_subscription_id, undefined)
  const ended = isOver(now.status) ? now : await stripe.cancelSubscription(now.id, undefined)
  await linkSubscription(db, row.id, ended, null)
}

import type { Deps } from '../deps.ts'
import { settlePayment } from './settle.ts'

/** How far back the look after a start goes, in milliseconds: three days of outage. */
const OUTAGE = 3 * 86_400_000
const MOST = 2_000

/**
 * After a start: payments that succeeded at Stripe and are not settled here, and intents of ours that are still open.
 * Each is settled by the same use case, which re-reads it first.
 */
export async function reconcileAfterStart(deps: Deps): Promise<void> {
  const { db, stripe } = deps
  const recent = await stripe.intentsSince(new Date(Date.now() - OUTAGE), MOST)
  const succeeded = recent.filter(({ status }) => status === 'succeeded').map(({ id }) => id)
  const settled = new Set(
    succeeded.length === 0
      ? []
      : (
          await db
            .selectFrom('payments')
            .select('payment_intent_id as id')
            .where('payment_intent_id', 'in', succeeded)
            .execute()
        ).map(({ id }) => id),
  )
  const open = await db
    .selectFrom('payment_intents')
    .select('stripe_intent_id as id')
    .where('closed_at', 'is', null)
    .where('stripe_intent_id', 'is not', null)
    .where('created_at', '>', new Date(Date.now() - OUTAGE))
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  const look = new Set([...succeeded.filter((id) => !settled.has(id)), ...open.map(({ id }) => id ?? '')])
  for (const id of look) await trying(deps, id, () => settlePayment(deps, id, undefined))
}

/** One that cannot be worked through does not hold up the others. */
export async function trying(deps: Deps, about: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    deps.log.error({ err: error, about }, 'reconciling one payment failed')
  }
}

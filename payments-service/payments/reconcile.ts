import { DAY } from '../../contract/time.ts'
import type { Deps } from '../deps.ts'
import type { GoOnHolding } from '../jobs/after-start.ts'
import { settlePayment } from './settle.ts'

/** How far back the check after a start goes, in milliseconds: covers three days of outage. */
const OUTAGE = 3 * DAY
const MOST = 2_000

/**
 * After a start, settles payments that succeeded at Stripe but are not recorded here, and intents of ours that are
 * still open. Each goes through settlePayment, which reads it again first. False: `goOn` said no before all were done.
 */
export async function reconcileAfterStart(deps: Deps, goOn: GoOnHolding): Promise<boolean> {
  const { db, stripe } = deps
  const recent = await stripe.intentsSince(new Date(Date.now() - OUTAGE), MOST, goOn)
  if (!(await goOn())) return false
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
  for (const id of look) {
    if (!(await goOn())) return false
    await trying(deps, id, () => settlePayment(deps, id, undefined))
  }
  return true
}

/** Logs an error instead of throwing it, so that one failure does not hold up the others. */
export async function trying(deps: Deps, about: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    deps.log.error({ err: error, about }, 'reconciling one payment failed')
  }
}

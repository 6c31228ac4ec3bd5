import { sql } from 'kysely'
import { markCheckoutOpened } from '../sessions/checkout-opened.ts'
import type { Deps } from '../deps.ts'
import { enqueueConversion } from '../jobs/conversions.ts'

/** Activities that also change the session. */
export const MILESTONES: ReadonlySet<string> = new Set(['checkout_opened', 'exit_intent', 'contact'])

/** D-09, T-03: applies an activity to its session. Repeating one changes nothing. */
export async function reachMilestone(deps: Deps, sessionId: string, type: string): Promise<void> {
  if (type === 'checkout_opened') await markCheckoutOpened(deps, { id: sessionId, checkout_opened_at: null })
  if (type === 'exit_intent') {
    await deps.db
      .updateTable('sessions')
      .set({ exit_intent_at: sql<Date>`now()` })
      .where('id', '=', sessionId)
      .where('exit_intent_at', 'is', null)
      .where('payment_status', '=', 'unpaid')
      .execute()
  }
  if (type === 'contact') {
    await enqueueConversion(deps.db, 'Contact', sessionId, sessionId)
    deps.wake('outbox')
  }
}

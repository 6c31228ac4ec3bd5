import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { enqueueConversion } from '../jobs/conversions.ts'
import type { Session } from './access.ts'
import { updateSession } from './sessions.queries.ts'

/**
 * D-09, T-03: the checkout of a session was opened; the first time is an InitiateCheckout. `change`: what its form says
 * of the visitor.
 */
export async function markCheckoutOpened(
  { db, wake }: Pick<Deps, 'db' | 'wake'>,
  { id: sessionId, checkout_opened_at: opened }: Pick<Session, 'id' | 'checkout_opened_at'>,
  change: Pick<Partial<Session>, 'email' | 'name'> = {},
): Promise<void> {
  if (opened) return updateSession(db, sessionId, change)
  const first = await db.transaction().execute(async (tx) => {
    const opened = await tx
      .updateTable('sessions')
      .set({ ...change, checkout_opened_at: sql<Date>`now()`, last_activity_at: sql<Date>`now()` })
      .where('id', '=', sessionId)
      .where('checkout_opened_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return opened ? enqueueConversion(tx, 'InitiateCheckout', sessionId, sessionId) : false
  })
  if (first) wake('outbox')
  else await updateSession(db, sessionId, change)
}

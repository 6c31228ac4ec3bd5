import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { enqueueConversion } from '../jobs/conversions.ts'
import type { Session } from './access.ts'
import { updateSession } from './sessions.queries.ts'

/** D-09, T-03: the checkout of a session was opened; the first time is an InitiateCheckout. */
export async function markCheckoutOpened(
  { db, wake }: Pick<Deps, 'db' | 'wake'>,
  { id: sessionId, checkout_opened_at: opened }: Pick<Session, 'id' | 'checkout_opened_at'>,
): Promise<void> {
  const first = !opened && (await markFirst(db, sessionId))
  if (first) wake('outbox')
  else await updateSession(db, sessionId, {})
}

/** Whether it was the first time. */
function markFirst(db: Database, sessionId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const opened = await tx
      .updateTable('sessions')
      .set({ checkout_opened_at: sql<Date>`now()`, last_activity_at: sql<Date>`now()` })
      .where('id', '=', sessionId)
      .where('checkout_opened_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return opened ? enqueueConversion(tx, 'InitiateCheckout', sessionId, sessionId) : false
  })
}

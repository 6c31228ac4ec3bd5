import type { Database } from '../../db/connect.ts'
import { ENDS_SUBSCRIPTION, GRANTED } from '../refunds/request-states.ts'

/** Requests for money back, each with whether it ends its visit's subscription. */
export const selectRequests = (db: Database) =>
  db.selectFrom('money_back_requests').selectAll('money_back_requests').select(ENDS_SUBSCRIPTION.as('ends'))

/**
 * Whether a visit's subscription cannot be kept any more: its withdrawal has arrived (H-02), or its money is being
 * given back.
 */
export async function isBeingGivenBack(db: Database, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', '=', sessionId)
    .where(ENDS_SUBSCRIPTION)
    .where(({ or, and, eb }) =>
      or([eb('status', '=', 'refunding'), and([eb('kind', '=', 'withdrawal'), eb('status', '=', 'open')])]),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** the granted money-back requests of a visit that end its subscription. */
export function grantedRequests(db: Database, sessionId: string) {
  return db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', 'in', GRANTED)
    .where(ENDS_SUBSCRIPTION)
}

import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { GRANTED } from '../refunds/request-states.ts'

/**
 * Whether a request (`money_back_requests`) ends its visit's subscription: one that was ordered before it, or whose
 * payment it asks for. A withdrawal from everything that was a reading is none from the programme ordered after it.
 * The release before noted no payments: it is all of the contract, as the guarantee is.
 */
export const ENDS_SUBSCRIPTION = sql<boolean>`(money_back_requests.contract <> 'guides' and (
  money_back_requests.intent_ids is null or exists (
    select from payments p where p.session_id = money_back_requests.session_id
      and (p.purpose = 'first' or p.purpose like 'renewal:%') and p.settled_at is not null and not p.is_duplicate
      and (p.settled_at <= money_back_requests.requested_at
        or p.payment_intent_id = any(money_back_requests.intent_ids))
  )))`

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

import type { Database } from '../../db/connect.ts'

/** the granted money-back requests of a visit that end its subscription; those about guides alone do not. */
export function grantedRequests(db: Database, sessionId: string) {
  return db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', 'in', ['refunding', 'refunded', 'incomplete'])
    .where('contract', '!=', 'guides')
}

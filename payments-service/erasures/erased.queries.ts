import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** Which of these visits were erased (D-12). */
export async function erasedAmong(db: Database, sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set()
  const rows = await db.selectFrom('erasures').select('session_id').where('session_id', 'in', sessionIds).execute()
  return new Set(rows.map(({ session_id }) => session_id))
}

export const isErased = async (db: Database, sessionId: string): Promise<boolean> =>
  (await erasedAmong(db, [sessionId])).size > 0

/** The visits that an event `e` of Stripe is about: by its object, or by the customer that the object names. */
const VISITS = sql`(
  select session_id from payment_intents where stripe_intent_id = e.object_id
  union all select session_id from subscriptions where stripe_subscription_id = e.object_id
  union all select session_id from payments where charge_id = e.object_id
  union all select session_id from customers
    where stripe_customer_id in (e.object_id, e.payload #>> '{data,object,customer}'))`

/**
 * Empties handled events: they contain the e-mail address and are not needed again. `sessionIds`: all events about
 * these visits; `eventId`: this one, if its visit was erased before it came.
 */
export async function forgetEvents(db: Database, of: { sessionIds: string[] } | { eventId: string }): Promise<void> {
  const about =
    'eventId' in of
      ? sql`e.id = ${of.eventId} and exists (select from erasures x where x.session_id in ${VISITS})`
      : sql`exists (select from ${VISITS} v where v.session_id = any (${of.sessionIds}::uuid[]))`
  await sql`update webhook_events e set payload = '{"erased": true}' where e.handled_at is not null
    and ${about}`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { forgetEvents } from '../erasures/erased.queries.ts'
import type { StripeEvent } from '../stripe/objects.ts'

/** Stores events once by their Stripe id, whichever way they came. Returns how many are new. */
export async function storeEvents(
  db: Database,
  events: readonly StripeEvent[],
  source: 'webhook' | 'poll',
): Promise<number> {
  if (events.length === 0) return 0
  const stored = await db
    .insertInto('webhook_events')
    .values(
      events.map((event) => ({
        id: event.id,
        type: event.type,
        object_id: event.objectId,
        api_version: event.apiVersion,
        payload: JSON.stringify(event.payload),
        source,
        created: event.created,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return stored.length
}

/** Which of these are stored. */
export async function knownEvents(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from webhook_events where id = any(${ids})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export interface InboxEvent {
  id: string
  type: string
  objectId: string | null
  payload: unknown
  attempts: number
}

/** Seconds a worker has an event for itself; after that another one takes it over. All work may be done twice. */
const LEASE = 30

/** Takes up to `most` events that are due, oldest first, past every other worker. */
export async function takeEvents(db: Database, most: number): Promise<InboxEvent[]> {
  const { rows } = await sql<InboxEvent>`
    update webhook_events set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE})
    where id in (
      select id from webhook_events where handled_at is null and dead_at is null and next_attempt_at <= now()
      order by next_attempt_at, created, id limit ${most} for update skip locked
    )
    returning id, type, object_id as "objectId", payload, attempts`.execute(db)
  return rows
}

export async function markHandled(db: Database, id: string): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ handled_at: sql<Date>`now()`, error: null })
    .where('id', '=', id)
    .execute()
  await forgetEvents(db, { eventId: id })
}

/** Kept for an operator: nothing but another release, or a hand, makes it readable. */
export async function bury(db: Database, id: string, error: string): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ dead_at: sql<Date>`now()`, error })
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .execute()
}

/** Tried again after `seconds`; it is never given up. */
export async function postpone(db: Database, id: string, seconds: number, error: string): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ next_attempt_at: sql<Date>`now() + make_interval(secs => ${seconds})`, error })
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .execute()
}

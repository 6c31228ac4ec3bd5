import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Entry } from '../queue/queue.ts'
import type { StripeEvent } from '../stripe/objects.ts'
import { traceparent } from '../tracing/tracing.ts'

/** Stores events once by their Stripe id, from webhook or poll. Returns how many are new. */
export async function storeEvents(
  db: Database,
  events: readonly StripeEvent[],
  source: 'webhook' | 'poll',
): Promise<number> {
  if (events.length === 0) return 0
  const caused = traceparent()
  const stored = await db
    .insertInto('webhook_events')
    .values(
      events.map((event) => ({
        id: event.id,
        type: event.type,
        object_id: event.objectId,
        api_version: event.apiVersion,
        payload: JSON.stringify(caused ? { ...(event.payload as object), traceparent: caused } : event.payload),
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

export interface InboxEvent extends Entry {
  type: string
  payload: unknown
}

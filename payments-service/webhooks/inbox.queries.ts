import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Entry } from '../queue/queue.ts'
import type { StripeEvent } from '../stripe/objects.ts'
import { traceparent } from '../tracing/tracing.ts'
import { rowOf } from './event-table.ts'
import { shownSubject } from './subject.ts'

/** Stores events once by their Stripe id, from webhook or poll. Returns how many are new. */
export async function storeEvents(
  db: Database,
  events: readonly StripeEvent[],
  source: 'webhook' | 'poll',
): Promise<number> {
  if (events.length === 0) return 0
  const brought = traceparent()
  const causes = brought ? await tracesOf(db, events) : undefined
  const stored = await db
    .insertInto('webhook_events')
    .values(
      events.map((event) => ({
        id: event.id,
        type: event.type,
        object_id: event.objectId,
        api_version: event.apiVersion,
        payload: JSON.stringify(
          brought
            ? { ...(event.payload as object), traceparent: causes?.get(event.id) ?? brought, broughtBy: brought }
            : event.payload,
        ),
        source,
        created: event.created,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return stored.length
}

/** By the id of an event about a payment: where that was opened, of payments that were opened while traces were on. */
async function tracesOf(db: Database, events: readonly StripeEvent[]): Promise<Map<string, string>> {
  const subjects = events.flatMap(({ id, type, payload }) => {
    const row = rowOf(type)
    const subject = row && shownSubject(payload, row.object)
    return subject ? [{ id, subject }] : []
  })
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<{ subject: string; traceparent: string }>`
    select stripe_intent_id as subject, traceparent from payment_intents
    where stripe_intent_id = any(${subjects.map(({ subject }) => subject)}) and traceparent is not null`.execute(db)
  const found = new Map(rows.map((row) => [row.subject, row.traceparent]))
  return new Map(
    subjects.flatMap(({ id, subject }) => {
      const opened = found.get(subject)
      return opened ? [[id, opened]] : []
    }),
  )
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

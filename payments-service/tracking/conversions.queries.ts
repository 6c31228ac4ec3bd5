import type { Database } from '../../db/connect.ts'
import { enqueue, stableId } from '../jobs/outbox.queries.ts'

/** T-03: what advertisers are told, each at most once. Purchase and Subscribe are queued where the money is settled. */
export type ConversionName = 'Lead' | 'InitiateCheckout' | 'Purchase' | 'Subscribe' | 'Contact'

/** `outbox.payload` of a conversion. Amounts in cents. */
export interface ConversionPayload {
  name: ConversionName
  /** The one that the browser's data layer carries too (contract/event-id.ts). */
  eventId: string
  at: string
  value?: number
  currency?: string
}

/** Queues an event in the caller's transaction. `subject` names what it is about; a second time it is no event. */
export function enqueueConversion(
  tx: Database,
  name: 'Lead' | 'InitiateCheckout' | 'Contact',
  sessionId: string,
  subject: string,
  value?: { value: number; currency: string },
): Promise<boolean> {
  const payload: ConversionPayload = {
    name,
    eventId: stableId(`${name}:${subject}`),
    at: new Date().toISOString(),
    ...value,
  }
  return enqueue(tx, { kind: `conversion:${name}`, reason: subject, sessionId, payload })
}

/** What may be known of the visitor behind an event. */
export function findConversionPerson(db: Database, sessionId: string) {
  return db
    .selectFrom('sessions as s')
    .leftJoin('session_metadata as m', 'm.session_id', 's.id')
    .select([
      's.email',
      's.name',
      's.is_bot',
      'm.user_agent',
      'm.fbc',
      'm.fbp',
      'm.fbclid',
      'm.country',
      'm.city',
      's.created_at',
    ])
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
}

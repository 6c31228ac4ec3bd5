import type { Database } from '../../db/connect.ts'
import type { ConversionName } from './kinds.ts'
import { enqueue, stableId } from './outbox.queries.ts'

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

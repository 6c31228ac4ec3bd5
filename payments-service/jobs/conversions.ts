import type { Database } from '../../db/connect.ts'
import type { ConversionName } from './kinds.ts'
import { enqueue, stableId } from './outbox.queries.ts'

/** `outbox.payload` of a conversion. Amounts in cents. */
export interface ConversionPayload {
  name: ConversionName
  /** The same id as in the browser's data layer (contract/event-id.ts). */
  eventId: string
  at: string
  value?: number
  currency?: string
}

/** Queues an event in the caller's transaction. `subject` names what it is about; each subject counts once. */
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

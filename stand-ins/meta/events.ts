/** Requests to the Conversions API, and the API's requirements for them. */

export interface MetaRequest {
  pixelId: string
  authorization: string
  testEventCode: string | null
  events: Record<string, unknown>[]
  /** ISO 8601. */
  receivedAt: string
}

/** Of what is no more than one of these Meta says that it matches too many people. */
const TOO_BROAD = [
  ['ct', 'country', 'st', 'zp', 'ge', 'client_user_agent'],
  ['db', 'client_user_agent'],
  ['fn', 'ge'],
  ['ln', 'ge'],
]

/** The minimum of an event that Meta's documentation requires: name, time, source, and somebody it may be about. */
export function problemOf(event: Record<string, unknown>): string | undefined {
  const hashes = /^[0-9a-f]{64}$/
  const person = (event['user_data'] ?? {}) as Record<string, unknown>
  if (typeof event['event_name'] !== 'string') return 'event_name'
  if (!Number.isInteger(event['event_time'])) return 'event_time'
  if (typeof event['event_id'] !== 'string') return 'event_id'
  if (event['action_source'] !== 'website' || typeof event['event_source_url'] !== 'string') return 'action_source'
  if (TOO_BROAD.some((set) => Object.keys(person).every((name) => set.includes(name)))) return 'user_data'
  for (const name of ['em', 'fn', 'ln', 'ct', 'country']) {
    const values = person[name]
    if (values !== undefined && !(Array.isArray(values) && values.every((one) => hashes.test(String(one))))) return name
  }
  return undefined
}

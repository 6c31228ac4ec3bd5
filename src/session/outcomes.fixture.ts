import type { call } from './client.ts'
import type { Failure, Outcome, Success } from './http.ts'

/** Answers of the service as a page receives them. For tests only. */
export const ok = <T>(data: T, status = 200): Success<T> => ({ ok: true, status, data })

/** A refusal by the service, by its code and HTTP status. */
export const refusal = (code: Failure['code'], status: number, over: Partial<Failure> = {}): Failure => ({
  ok: false,
  kind: 'refused',
  status,
  code,
  words: null,
  field: null,
  requestId: null,
  ...over,
})

/** No answer at all, or none in time. */
export const noAnswer = (kind: 'network' | 'timeout' = 'network'): Failure => refusal(null, 0, { kind })

/** A proxy's page instead of an answer. */
export const proxyPage = (status = 502): Failure => refusal(null, status, { kind: 'unreadable' })

/** Something broke at the service. */
export const BROKEN = refusal('internal', 500)

/** What was sent to one endpoint. */
export interface Sent {
  path?: { sessionId?: string }
  body?: unknown
}

/** More calls than any patience allows. */
const WITHOUT_END = 100

/**
 * A service that answers each endpoint from its list, whose last answer stays, and keeps what it was sent. Who asks
 * without end fails instead of hanging.
 */
export function serviceOf(answers: Readonly<Record<string, readonly Outcome<unknown>[]>>) {
  const sent: [endpoint: string, options: Sent][] = []
  const answer = async (endpoint: string, options: Sent): Promise<Outcome<unknown>> => {
    const before = sent.filter(([name]) => name === endpoint).length
    if (sent.push([endpoint, options]) > WITHOUT_END) throw new Error(`asked ${endpoint} without end`)
    const list = answers[endpoint] ?? []
    return list[before] ?? list.at(-1) ?? BROKEN
  }
  return { call: answer as unknown as typeof call, sent, asked: () => sent.map(([endpoint]) => endpoint) }
}

import { AsyncResource } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import type { Pool, PoolClient } from 'pg'
import { isRecorded, type Tracing } from './tracing.ts'

const CLIENT = 2
const ERROR = 2
/** Characters of a statement that say which it is. */
const SHOWN = 300
/** Statements whose names are remembered; ours are fewer. */
const REMEMBERED = 1_000

type Method = (...args: unknown[]) => unknown
type Callback = (error: Error | null, ...rest: unknown[]) => void

/** What is done to which table: `insert answers`. */
function nameOf(text: string): string {
  const [verb = 'query'] = /[a-z]+/i.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]{1,63})"?/i.exec(text) ?? []
  return table ? `${verb.toLowerCase()} ${table}` : verb.toLowerCase()
}

/**
 * A span for every statement of a pool that a request or job waits for: its text, which has $1 where its values are,
 * and never a value.
 */
export function traceStatements(pool: Pool, tracing: Tracing): void {
  const known = new Map<string, { name: string; shown: string }>()
  const describe = (text: string): { name: string; shown: string } => {
    const found = known.get(text)
    if (found) return found
    const fresh = { name: nameOf(text), shown: text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN) }
    if (known.size >= REMEMBERED) known.clear()
    known.set(text, fresh)
    return fresh
  }
  const begin = (text: string): Span => {
    const { name, shown } = describe(text)
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': shown }
    return tracing.start(name, { kind: CLIENT, attributes })
  }
  const end = (span: Span, error?: unknown): void => {
    if (error) {
      span.setAttribute('error.type', String((error as { code?: unknown }).code ?? (error as Error).name))
      span.setStatus({ code: ERROR })
    }
    span.end()
  }

  // a waiting request gets its connection in the call that gives one back
  const connect = pool.connect.bind(pool) as Method
  pool.connect = ((callback?: Method) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as typeof pool.connect

  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as Method
    client.query = ((...args: unknown[]) => {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text?: unknown } | undefined)?.text
      if (typeof text !== 'string' || !isRecorded()) return query(...args)
      const span = begin(text)
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        const told: Callback = (error, ...rest) => {
          end(span, error)
          ;(callback as Callback)(error, ...rest)
        }
        return query(...args.slice(0, -1), told)
      }
      const answer = query(...args)
      if (!(answer instanceof Promise)) {
        span.end()
        return answer
      }
      return answer.then(
        (result: unknown) => {
          end(span)
          return result
        },
        (error: unknown) => {
          end(span, error)
          throw error
        },
      )
    }) as typeof client.query
  })
}

/**
 * Named points at which a test makes this process die or freeze: before and after every call to Stripe and every
 * commit. Off unless FAILPOINT is set, which config.ts accepts only in embedded mode; otherwise nothing is even
 * wrapped.
 */
import { appendFileSync } from 'node:fs'
import type { Pool, PoolClient } from 'pg'
import type { Around } from './stripe/calls.ts'

/** Says that a point is reached, e.g. `failpoint('after:subscriptions.create')`. */
export type Failpoint = (point: string) => void

/**
 * `kill@after:subscriptions.create`, `stop@before:commit.payment_intents#2`, `kill@*#137` (any point), `trace@/a/file`.
 */
export const FAILPOINT_SYNTAX = /^(?:(kill|stop)@([\w:.*]+)(?:#([1-9]\d*))?|trace@(.+))$/

/**
 * kill: the process dies (SIGKILL) when the point is reached for the nth time. stop: it freezes (SIGSTOP) until it is
 * continued. trace: writes the name and time (ms) of every point to a file. Undefined without a spec.
 */
export function createFailpoint(spec: string | null): Failpoint | undefined {
  const [, action, point, nth, file] = FAILPOINT_SYNTAX.exec(spec ?? '') ?? []
  if (file) return (reached) => appendFileSync(file, `${reached} ${performance.now()}\n`)
  if (!action) return undefined
  let left = Number(nth ?? 1)
  return (reached) => {
    if (point !== '*' && point !== reached) return
    if (--left === 0) process.kill(process.pid, action === 'kill' ? 'SIGKILL' : 'SIGSTOP')
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Every call of Stripe passes `before:{resource}.{method}` and, answered or failed, `after:{resource}.{method}`. */
export const watchingCalls =
  (failpoint: Failpoint): Around =>
  async (name, call) => {
    failpoint(`before:${name}`)
    try {
      return await call()
    } finally {
      failpoint(`after:${name}`)
    }
  }

const WRITE = /^\s*(?:with\b.*?\b)?(?:insert into|update|delete from)\s+"?(\w+)"?/is

/**
 * Every commit of a pool passes `before:commit.{table}` and `after:commit.{table}`: a transaction's, where the table is
 * the first one written, and that of a single writing statement, which is a transaction by itself.
 */
export function watchCommits(pool: Pool, failpoint: Failpoint): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as Method
    let open = false
    let written: string | undefined
    client.query = (async (...args: unknown[]) => {
      // with a callback: a library's statement (the counters of the limits), no money in it
      if (typeof args.at(-1) === 'function') return query(...args)
      const text = typeof args[0] === 'string' ? args[0] : ((args[0] as { text?: string } | undefined)?.text ?? '')
      const table = WRITE.exec(text)?.[1]
      if (/^begin\b/i.test(text)) [open, written] = [true, undefined]
      if (open) written ??= table
      const ends = open && /^commit\b/i.test(text)
      const commits = ends ? written : open ? undefined : table
      if (/^(commit|rollback)$/i.test(text)) open = false
      if (!commits) return query(...args)
      failpoint(`before:commit.${commits}`)
      try {
        return await query(...args)
      } finally {
        failpoint(`after:commit.${commits}`)
      }
    }) as typeof client.query
  })
}

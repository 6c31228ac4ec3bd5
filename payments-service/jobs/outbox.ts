import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { POLICIES } from '../queue/policies.ts'
import { type Entry, type Lane, workThrough } from '../queue/queue.ts'

export interface OutboxJob extends Entry {
  kind: string
  dedupe_key: string
  session_id: string | null
  payload: Record<string, unknown>
}

/** Does one job, as `Lane.work` does one entry. */
export type OutboxHandler = (deps: Deps, job: OutboxJob) => Promise<string | void>

/** Works through one batch of the kinds that have a handler; other kinds wait. Returns whether there may be more. */
export async function workOutbox(deps: Deps, handlers: Readonly<Record<string, OutboxHandler>>): Promise<boolean> {
  const lane: Lane<OutboxJob> = {
    table: 'outbox',
    policy: POLICIES.job,
    which: sql`kind = any(${Object.keys(handlers)})`,
    work: async (job) => handlers[job.kind]?.(deps, job),
  }
  return workThrough(deps, lane)
}

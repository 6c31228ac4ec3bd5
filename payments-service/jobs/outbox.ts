import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { scrub } from '../http/logging.ts'

export interface OutboxJob {
  id: string
  kind: string
  dedupe_key: string
  session_id: string | null
  message_id: string | null
  payload: Record<string, unknown>
  attempts: number
}

/**
 * Does one job. Whatever it does is found done when it runs again: a worker may stop after the effect. A text says why
 * there was nothing to do; it is kept with the job.
 */
export type OutboxHandler = (deps: Deps, job: OutboxJob) => Promise<string | void>

/** Trying again would change nothing: the job is dead at once, which an operator sees and may undo. */
export class Refused extends Error {}

const BATCH = 8
/** Seconds a worker has a job for itself. One that died holds up what everybody was promised within a minute. */
const LEASE = 30
const LONGEST_WAIT = 3_600
/** After some three days of tries a job is dead, which an operator sees. */
const MOST_ATTEMPTS = 80

/**
 * Works through one batch of the kinds that have a handler; the others wait for theirs. Says whether there may be more.
 */
export async function workOutbox(deps: Deps, handlers: Readonly<Record<string, OutboxHandler>>): Promise<boolean> {
  const kinds = Object.keys(handlers)
  if (kinds.length === 0) return false
  const { rows } = await sql<OutboxJob>`
    update outbox set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE})
    where id in (
      select id from outbox where sent_at is null and dead_at is null and next_attempt_at <= now() and kind = any(${kinds})
      order by next_attempt_at, id limit ${BATCH} for update skip locked
    )
    returning id, kind, dedupe_key, session_id, message_id, payload, attempts`.execute(deps.db)
  await Promise.all(rows.map((job) => work(deps, handlers, job)))
  return rows.length === BATCH
}

async function work(deps: Deps, handlers: Readonly<Record<string, OutboxHandler>>, job: OutboxJob): Promise<void> {
  try {
    const skipped = await handlers[job.kind]?.(deps, job)
    await deps.db
      .updateTable('outbox')
      .set({ sent_at: sql<Date>`now()`, last_error: skipped ? `not sent: ${skipped}` : null })
      .where('id', '=', job.id)
      .execute()
  } catch (error) {
    const refused = error instanceof Refused
    if (!refused) deps.log.error({ err: error, kind: job.kind, attempt: job.attempts }, 'an outgoing job waits')
    const wait = Math.min(2 ** Math.min(job.attempts, 12), LONGEST_WAIT)
    await deps.db
      .updateTable('outbox')
      .set({
        next_attempt_at: sql<Date>`now() + make_interval(secs => ${wait})`,
        last_error: scrub(error instanceof Error ? error.message : String(error)).slice(0, 500),
        ...(refused || job.attempts >= MOST_ATTEMPTS ? { dead_at: sql<Date>`now()` } : {}),
      })
      .where('id', '=', job.id)
      .execute()
  }
}

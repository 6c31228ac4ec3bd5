import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'

/** A turn is renewed while its holder works, so that a replica that dies does not block others for long. */
const LEASE_SECONDS = 8
const RENEW_MS = 2_000
const LOOK_AGAIN_MS = 80

/**
 * U-03, U-08: runs one charge or undo of a session at a time across all replicas, so that the bundle and a guide in it
 * are never charged side by side. No transaction stays open meanwhile. Throws service_unavailable when its turn does
 * not come before the deadline.
 */
export async function inTurn<T>(
  deps: Pick<Deps, 'db' | 'log'>,
  sessionId: string,
  by: Deadline,
  work: () => Promise<T>,
): Promise<T> {
  const { db, log } = deps
  const holder = randomUUID()
  while (!(await take(deps, sessionId, holder))) {
    if (by.left < 2 * LOOK_AGAIN_MS) throw new AppError('service_unavailable', { retryAfter: 2 })
    await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS))
  }
  const mine = () => db.updateTable('upsell_turns').where('session_id', '=', sessionId).where('holder', '=', holder)
  const renewing = setInterval(() => {
    const until = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`
    mine()
      .set({ until })
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'a turn was not renewed'))
  }, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await db
      .deleteFrom('upsell_turns')
      .where('session_id', '=', sessionId)
      .where('holder', '=', holder)
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'a turn ends by its lease'))
  }
}

async function take({ db }: Pick<Deps, 'db'>, sessionId: string, holder: string): Promise<boolean> {
  const { rows } = await sql`
    insert into upsell_turns as t (session_id, holder, until)
    values (${sessionId}, ${holder}, now() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (session_id) do update set holder = excluded.holder, until = excluded.until where t.until < now()
    returning holder`.execute(db)
  return rows.length > 0
}

/** Whether a turn is being taken: what is owned may change any moment. */
export async function isTurnTaken({ db }: Pick<Deps, 'db'>, sessionId: string): Promise<boolean> {
  const taken = await db
    .selectFrom('upsell_turns')
    .select('holder')
    .where('session_id', '=', sessionId)
    .where('until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return taken !== undefined
}

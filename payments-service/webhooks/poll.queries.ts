import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

const NAME = 'stripe_events'

/**
 * Seconds for which a replica holds the poll, renewed by each of its polls (every 5 s). If it dies, another takes over
 * with its next try: 14 s later at most.
 */
const LEASE = 9

/**
 * Takes or keeps the poll for `holder`. Returns the moment up to which events are stored, by Stripe's clock (an hour
 * ago for a new database); null while another replica holds it.
 */
export async function holdPoll(db: Database, holder: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    insert into bookmarks as mark (name, at, held_by, held_until)
    values (${NAME}, now() - interval '1 hour', ${holder}, now() + make_interval(secs => ${LEASE}))
    on conflict (name) do update set held_by = excluded.held_by, held_until = excluded.held_until
      where mark.held_by is null or mark.held_by = excluded.held_by or mark.held_until < now()
    returning at`.execute(db)
  return rows[0]?.at ?? null
}

/** Records that all events up to this moment are stored. */
export async function movePoll(db: Database, at: Date): Promise<void> {
  await sql`update bookmarks set at = greatest(at, ${at}) where name = ${NAME}`.execute(db)
}

/** Releases the poll for another replica at once: this one stops. */
export async function leavePoll(db: Database, holder: string): Promise<void> {
  await sql`update bookmarks set held_by = null where name = ${NAME} and held_by = ${holder}`.execute(db)
}

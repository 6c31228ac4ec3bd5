/** Work that one replica does for all: whose turn it is, and how far the work has come (bookmarks). */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/**
 * Takes or keeps the turn for `holder`, for that many seconds; if it dies, another takes over after them. Returns how
 * far the work has come (an hour ago for a new database); null while another replica holds the turn.
 */
export async function holdTurn(db: Database, name: string, holder: string, seconds: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    insert into bookmarks as mark (name, at, held_by, held_until)
    values (${name}, now() - interval '1 hour', ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set held_by = excluded.held_by, held_until = excluded.held_until
      where mark.held_by is null or mark.held_by = excluded.held_by or mark.held_until < now()
    returning at`.execute(db)
  return rows[0]?.at ?? null
}

/** Records that the work is done up to this moment. */
export async function moveMark(db: Database, name: string, at: Date): Promise<void> {
  await sql`update bookmarks set at = greatest(at, ${at}) where name = ${name}`.execute(db)
}

/** Releases the turn for another replica at once. */
export async function leaveTurn(db: Database, name: string, holder: string): Promise<void> {
  await sql`update bookmarks set held_by = null where name = ${name} and held_by = ${holder}`.execute(db)
}

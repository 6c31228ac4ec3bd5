import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** The oldest major version with everything that the migrations use (`uuidv7()`). */
const OLDEST = 18

/** Why a server of this `server_version_num` cannot be used; null when it can. */
export function tooOld(version: number): string | null {
  const major = Math.floor(version / 10_000)
  return major < OLDEST ? `PostgreSQL ${major} is too old: this needs ${OLDEST} or newer` : null
}

/** Throws when the server is too old (D-11). */
export async function checkServer(db: Database): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db)
  const problem = tooOld(rows[0]?.version ?? 0)
  if (problem) throw new Error(problem)
}

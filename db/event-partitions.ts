/** The months of page views, activities and errors (D-08). To make or drop one locks its table against all inserts. */
import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** How long a change of a table may wait for its lock: requests that come meanwhile wait behind it. */
export const LOCK_TIMEOUT = '2s'

/** Makes the months ahead that are missing. Gives way to an open transaction: throws lock_not_available then. */
export function makeMonths(db: Database): Promise<void> {
  return givingWay(db, sql`select ensure_event_partitions((now() at time zone 'UTC')::date, 3)`)
}

/** Drops the months that ended `before` a date. Gives way as making does. */
export function dropMonths(db: Database, before: ReturnType<typeof sql<Date>>): Promise<void> {
  return givingWay(db, sql`select drop_event_partitions(${before})`)
}

async function givingWay(db: Database, statement: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
    await statement.execute(tx)
  })
}

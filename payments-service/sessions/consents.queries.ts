/** Choices are appended and never changed: the newest of a kind is the one that holds. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** The last choice of a session of that kind; undefined if it was never asked. */
export function lastChoice(db: Database, sessionId: string, kind: string) {
  return db
    .selectFrom('consents')
    .select(['granted', 'wording_version'])
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The same within a statement about many sessions, for the one in `column`; null if it was never asked. */
export function lastGranted(column: string, kind: string): RawBuilder<boolean | null> {
  return sql`(select c.granted from consents c where c.session_id = ${sql.ref(column)} and c.kind = ${kind}
    order by c.id desc limit 1)`
}

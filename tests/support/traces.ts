import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** The tables with a row that contains a text, in any spelling of its letters. */
export async function traces(db: Database, text: string): Promise<string[]> {
  const { rows } = await sql<{
    table: string
  }>`select relname as table from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
    and not relispartition`.execute(db)
  const found: string[] = []
  for (const { table } of rows) {
    const { rows: hits } =
      await sql`select 1 from ${sql.table(table)} t where to_jsonb(t)::text ilike ${`%${text}%`} limit 1`.execute(db)
    if (hits.length > 0) found.push(table)
  }
  return found
}

import { CompiledQuery } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** How PostgreSQL would carry out a statement, as its `explain` says it. */
export async function explained(
  db: Database,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
): Promise<string> {
  const plan = CompiledQuery.raw(`explain ${sql}`, [...parameters])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(plan)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

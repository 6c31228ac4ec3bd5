import { sql } from 'kysely'

/** How many rows there are beside those that a limit lets through. */
export const total = sql<number>`(count(*) over ())::int`.as('total')

/** A heading with how many rows there are, and how many of them are shown. */
export function counted(words: string, rows: readonly { total: number }[]): string {
  const all = rows[0]?.total ?? 0
  return `${words} (${all > rows.length ? `${all}, the first ${rows.length}` : all})`
}

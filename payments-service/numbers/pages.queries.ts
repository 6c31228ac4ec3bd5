import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { FunnelPage } from '../../db/types.ts'
import { FEWEST, TEST_SOURCE } from './definitions.ts'
import { type StepFilter, where } from './steps.queries.ts'

/** How many visitors of a page, as one revision showed it, came to an outcome. */
export interface PageCell {
  page: FunnelPage
  revision: string
  firstSeen: Date
  wentOn: boolean
  /** Of the add-ons: bought one. */
  paid: boolean
  visitors: number
}

export async function readPageCells(db: Database, filter: StepFilter): Promise<PageCell[]> {
  const { rows } = await sql<PageCell>`
    select c.*, r.first_seen as "firstSeen" from (
      select page, revision, went_on as "wentOn", paid, sum(visitors)::int as visitors from page_counts
      where ${where(filter)} group by page, revision, went_on, paid
    ) c join quiz_revisions r using (revision)`.execute(db)
  return rows
}

export interface PageChoices {
  sources: string[]
  languages: string[]
  devices: string[]
}

/** What ten visitors of a page have in common in these days. */
export async function readPageChoices(
  db: Database,
  { from, to }: Pick<StepFilter, 'from' | 'to'>,
): Promise<PageChoices> {
  const { rows } = await sql<{ dimension: keyof PageChoices; value: string }>`
    select distinct dimension, value from (
      select page, dimension, value from (
        -- few before they are looked at three times
        select page, source, language, device, sum(visitors) as visitors from page_counts
        where day between ${from}::date and ${to}::date group by 1, 2, 3, 4
      ) c cross join lateral (
        values ('sources', source), ('languages', language), ('devices', device)
      ) d (dimension, value)
      where source <> ${TEST_SOURCE} or dimension = 'sources'
      group by page, dimension, value having sum(visitors) >= ${FEWEST} or value = ${TEST_SOURCE}
    ) shared order by value`.execute(db)
  const of = (name: keyof PageChoices): string[] =>
    rows.flatMap(({ dimension, value }) => (dimension === name ? value : []))
  return { sources: of('sources'), languages: of('languages'), devices: of('devices') }
}

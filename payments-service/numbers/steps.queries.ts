import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { FEWEST, TEST_SOURCE } from './definitions.ts'
import { type Cell, type StepNumbers, stepNumbers } from './steps.ts'

/** '' of a column: whatever it is. */
export interface StepFilter {
  from: string
  to: string
  source: string
  language: string
  device: string
}

export interface Revision {
  revision: string
  firstSeen: Date
}

/** What a selection can be narrowed to: only what ten visitors have. */
export interface Choices {
  sources: string[]
  languages: string[]
  devices: string[]
  /** Oldest first. */
  revisions: Revision[]
}

export const where = ({
  from,
  to,
  source,
  language,
  device,
}: StepFilter) => sql`day between ${from}::date and ${to}::date
  and (case when ${source} = '' then source <> ${TEST_SOURCE} else source = ${source} end)
  and (${language} = '' or language = ${language}) and (${device} = '' or device = ${device})`

/** Of one revision, or of all together. */
export async function readSteps(db: Database, filter: StepFilter, revision: string | null): Promise<StepNumbers[]> {
  return stepNumbers(await readCells(db, filter, revision === null ? null : [revision], []))
}

/** What a selection counted, in one reading: of some revisions or all (null); those to be told `apart` have theirs. */
export async function readCells(
  db: Database,
  filter: StepFilter,
  revisions: readonly string[] | null,
  apart: readonly string[],
): Promise<(Cell & { revision: string | null })[]> {
  const { rows } = await sql<Cell & { revision: string | null }>`
    select case when revision = any (${apart}::text[]) then revision end as revision, place, step_key as key, outcome,
      seconds, sum(visitors)::int as visitors from step_counts
    where ${where(filter)} and (${revisions}::text[] is null or revision = any (${revisions}::text[]))
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}

type Column = 'source' | 'language' | 'device' | 'revision'

/** What the visitors of a period differ in. Revisions are those of the whole selection. */
export async function readChoices(db: Database, filter: StepFilter): Promise<Choices> {
  const { from, to } = filter
  const period = await valuesOf(db, { from, to, source: '', language: '', device: '' })
  const { rows: tests } = await sql`select from step_counts where day between ${from}::date and ${to}::date
    and source = ${TEST_SOURCE} limit 1`.execute(db)
  const seen = (await valuesOf(db, filter)).revision
  const { rows: revisions } = await sql<Revision>`
    select revision, first_seen as "firstSeen" from quiz_revisions where revision = any (${seen}::text[])
    order by first_seen, revision`.execute(db)
  return {
    sources: [...period.source, ...(tests.length > 0 ? [TEST_SOURCE] : [])],
    languages: period.language,
    devices: period.device,
    revisions,
  }
}

/** The values of each column with which ten visitors entered the quiz: the others' rows are not looked at. */
async function valuesOf(db: Database, filter: StepFilter): Promise<Record<Column, string[]>> {
  const { rows } = await sql<{ of: Column; value: string }>`
    with sums as (
      select source, language, device, revision, place, sum(visitors) as visitors,
        grouping(source, language, device, revision) as without
      from step_counts where ${where(filter)} and place in (0, 1)
      group by grouping sets ((source, place), (language, place), (device, place), (revision, place))
    )
    select distinct case without when 7 then 'source' when 11 then 'language' when 13 then 'device' else 'revision' end
      as of, coalesce(source, language, device, revision) as value
    from sums where visitors >= ${FEWEST} order by value`.execute(db)
  const values = (of: Column): string[] => rows.filter((row) => row.of === of).map(({ value }) => value)
  return {
    source: values('source'),
    language: values('language'),
    device: values('device'),
    revision: values('revision'),
  }
}

import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { FEWEST, TEST_SOURCE } from './definitions.ts'
import type { Cell } from './steps.ts'

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

/** The part of step_sums that holds a selection; undefined for one by two of them, which only step_counts knows. */
function sumsOf({ source, language, device }: StepFilter): { dimension: string; value: string } | undefined {
  const narrowed = Object.entries({ source, language, device }).filter(([, value]) => value !== '')
  const [[dimension, value] = ['', '']] = narrowed
  return narrowed.length > 1 ? undefined : { dimension, value }
}

const inSums = ({ from, to }: StepFilter, { dimension, value }: { dimension: string; value: string }) =>
  sql`dimension = ${dimension} and value = ${value} and day between ${from}::date and ${to}::date`

/**
 * What a selection counted, in one reading: of some revisions or all (null); those to be counted `apart` have theirs.
 */
export async function readCells(
  db: Database,
  filter: StepFilter,
  revisions: readonly string[] | null,
  apart: readonly string[],
): Promise<(Cell & { revision: string | null })[]> {
  const sums = sumsOf(filter)
  const { rows } = await sql<Cell & { revision: string | null }>`
    select told as revision, place, step_key as key, outcome, seconds, sum(visitors)::int as visitors
    from (
      select *, case when revision = any (${apart}::text[]) then revision end as told
      from ${sums ? sql`step_sums` : sql`step_counts`}
      where ${sums ? inSums(filter, sums) : where(filter)}
        and (${revisions}::text[] is null or revision = any (${revisions}::text[]))
    ) c
    group by told, place, step_key, ${
      sums ? sql`outcome, seconds` : sql`grouping sets ((outcome), (seconds))`
    }`.execute(db)
  return rows
}

/** What the visitors of a period differ in. Revisions are those of the whole selection. */
export async function readChoices(db: Database, filter: StepFilter): Promise<Choices> {
  const { from, to } = filter
  const { rows: values } = await sql<{ dimension: string; value: string }>`
    select distinct dimension, value from (
      select dimension, value from step_sums
      where dimension <> '' and (dimension, value) <> ('source', ${TEST_SOURCE})
        and day between ${from}::date and ${to}::date and place in (0, 1) and outcome is not null
      group by dimension, value, place having sum(visitors) >= ${FEWEST}
    ) shared order by value`.execute(db)
  const of = (name: string): string[] => values.flatMap(({ dimension, value }) => (dimension === name ? value : []))
  const { rows: tests } = await sql`select from step_sums where dimension = 'source' and value = ${TEST_SOURCE}
    and day between ${from}::date and ${to}::date limit 1`.execute(db)
  return {
    sources: [...of('source'), ...(tests.length > 0 ? [TEST_SOURCE] : [])],
    languages: of('language'),
    devices: of('device'),
    revisions: await readRevisions(db, filter),
  }
}

/** Those with which ten visitors entered the quiz: the others' rows are not looked at. */
async function readRevisions(db: Database, filter: StepFilter): Promise<Revision[]> {
  const sums = sumsOf(filter)
  const { rows } = await sql<Revision>`
    select revision, first_seen as "firstSeen" from quiz_revisions where revision in (
      select revision from ${sums ? sql`step_sums` : sql`step_counts`}
      where ${sums ? sql`outcome is not null and ${inSums(filter, sums)}` : where(filter)} and place in (0, 1)
      group by revision, place having sum(visitors) >= ${FEWEST}
    ) order by first_seen, revision`.execute(db)
  return rows
}

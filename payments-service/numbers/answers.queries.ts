import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { FEWEST } from './definitions.ts'
import type { Share } from './intervals.ts'
import { type StepFilter, where } from './steps.queries.ts'

/** How many of the visitors who answered a question gave each answer. */
export interface AnswerNumbers {
  question: string
  answered: number
  /** By their stored values, the most frequent first; one that fewer than ten visitors gave is not named. */
  values: { value: string; visitors: number }[]
}

/** Of one revision, or of all (null); questions that fewer than ten visitors answered are left out. */
export async function readAnswers(db: Database, filter: StepFilter, revision: string | null): Promise<AnswerNumbers[]> {
  const { rows } = await sql<{ question: string; value: string | null; visitors: number }>`
    select question, value, sum(visitors)::int as visitors from answer_counts
    where ${where(filter)} and (${revision}::text is null or revision = ${revision})
    group by 1, 2 having sum(visitors) >= ${FEWEST} order by question, visitors desc, value`.execute(db)
  return rows
    .filter(({ value }) => value === null)
    .map(({ question, visitors }) => ({
      question,
      answered: visitors,
      values: rows.flatMap((row) =>
        row.question === question && row.value !== null ? [{ value: row.value, visitors: row.visitors }] : [],
      ),
    }))
}

export const shareOf = ({ answered }: AnswerNumbers, visitors: number): Share => ({ part: visitors, whole: answered })

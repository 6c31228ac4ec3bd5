import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../db/connect.ts'
import { prepared } from '../../db/prepared.ts'
import { type Opened, openedOf, openRequests, type Presented, touched } from '../tracking/track.queries.ts'

/** The answers of one request: each question once. */
export interface AnswerWrite extends Presented {
  answers: { questionId: string; answer: string; answeredAt: Date }[]
}

/**
 * Stores the answers of many requests in one statement, which also checks every token. Q-10: the later answer of a
 * question wins, whatever the order of arrival. Rows are written in the order of their key, so that two writers wait for
 * each other at most, and never in a circle.
 */
export async function storeAnswers(db: Database, pool: pg.Pool, writes: readonly AnswerWrite[]): Promise<Opened[]> {
  const rows = writes.flatMap(({ answers }, at) => answers.map((answer) => ({ ...answer, n: at + 1 })))
  const saved = sql`saved as (
    insert into quiz_answers (session_id, question_id, answer, answered_at)
    select distinct on (open.id, a.question) open.id, a.question, a.answer, a.answered_at
    from unnest(${rows.map(({ n }) => n)}::int[], ${rows.map(({ questionId }) => questionId)}::text[],
      ${rows.map(({ answer }) => answer)}::text[], ${rows.map(({ answeredAt }) => answeredAt)}::timestamptz[])
      as a(n, question, answer, answered_at)
    join open on open.n = a.n
    order by open.id, a.question, a.answered_at desc
    on conflict (session_id, question_id) do update set answer = excluded.answer, answered_at = excluded.answered_at
    where quiz_answers.answered_at <= excluded.answered_at
  )`
  const parts = [openRequests(writes), touched, ...(rows.length > 0 ? [saved] : [])]
  const statement = sql<{ n: string; fresh: boolean }>`with ${sql.join(parts)} select n, fresh from open`
  const found = await prepared(db, pool, statement)
  return openedOf(writes, found)
}

import { type RawBuilder, sql } from 'kysely'

/** One answer of a request, which has at most one per question. */
export interface AnswerRow {
  questionId: string
  answer: string
  /** ISO 8601. */
  answeredAt: string
}

/** Questions that one visit may answer: several times as many as our quizzes have. */
export const MOST_ANSWERS = 200

/**
 * writes the answers of one request into the session that `open` holds (writeOpened). The later answer to a
 * question wins, whatever the order of arrival; the same one again writes nothing. Sorted by question, so that
 * concurrent writers may wait but never deadlock.
 */
export function answersWrite(answers: readonly AnswerRow[]): RawBuilder<unknown> {
  // half a surrogate pair, left when a browser cuts a text, is not valid JSON for PostgreSQL
  const rows = answers.map(({ answer, ...row }, n) => ({ ...row, answer: answer.toWellFormed(), n }))
  return sql`kept as materialized (
    select count(*) as answers, array_agg(hashtextextended(a.question_id, 0)) as questions
    from quiz_answers a join open on open.id = a.session_id
  ), saved as (
    insert into quiz_answers as known (session_id, question_id, answer, updated_at)
    select open.id, a."questionId", a.answer, a."answeredAt"
    from open, kept,
      json_to_recordset(${JSON.stringify(rows)}) as a("questionId" text, answer text, "answeredAt" timestamptz, n int)
    where kept.answers + a.n < ${MOST_ANSWERS} or hashtextextended(a."questionId", 0) = any (kept.questions)
    order by a."questionId"
    on conflict (session_id, hashtextextended(question_id, 0))
    do update set answer = excluded.answer, updated_at = excluded.updated_at
    where known.updated_at <= excluded.updated_at
      and (known.updated_at, known.answer) is distinct from (excluded.updated_at, excluded.answer)
  )`
}

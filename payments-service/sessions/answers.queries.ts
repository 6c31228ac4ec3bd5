import type pg from 'pg'
import { listOf, type Opened, type Presented, writeOpened } from './opened.queries.ts'

/** The answers of one request: each question once. */
export interface AnswerWrite extends Presented {
  answers: { questionId: string; answer: string; /** ISO 8601. */ answeredAt: string }[]
}

/** Bytes of one answer, and questions that one visit may answer: several times what any quiz of ours has. */
export const ANSWER_LENGTH = 2_048
export const MOST_ANSWERS = 200

/** How many answers each visit has, counted once whatever the size of the batch. */
const KEPT = `kept as materialized (
    select own.id, (select count(*) from (
      select 1 from quiz_answers k where k.session_id = own.id limit ${MOST_ANSWERS}
    ) counted) as answers
    from (select distinct id from open) own
  )`

/**
 * the later answer of a question wins, whatever the order of arrival; the same one again writes nothing. Rows are
 * written in the order of their key, so that two writers wait for each other at most, and never in a circle. A merge,
 * because `on conflict` writes a third record to the WAL for every row.
 */
const SAVED = `saved as (
    merge into quiz_answers t using (
      select latest.*, kept.answers, row_number() over (partition by latest.id order by question) as nth from (
        select distinct on (open.id, a.question) open.id, a.question, a.answer, a.at
        from unnest($3::int[], $4::text[], $5::text[], $6::timestamptz[]) as a(n, question, answer, at)
        join open on open.n = a.n
        order by open.id, a.question, a.at desc
      ) latest join kept on kept.id = latest.id order by latest.id, question
    ) s on t.session_id = s.id and hashtextextended(t.question_id, 0) = hashtextextended(s.question, 0)
    when matched and t.updated_at <= s.at and (t.updated_at, t.answer) is distinct from (s.at, s.answer)
      then update set answer = s.answer, updated_at = s.at
    when not matched and s.answers + s.nth <= ${MOST_ANSWERS}
      then insert (session_id, question_id, answer, updated_at) values (s.id, s.question, s.answer, s.at)
    returning 1
  )`

/** Stores the answers of many requests in one statement, which also checks every token. */
export function storeAnswers(pool: pg.Pool, writes: readonly AnswerWrite[]): Promise<Opened[]> {
  const places: number[] = []
  const questions: string[] = []
  const texts: string[] = []
  const times: string[] = []
  writes.forEach(({ answers }, at) => {
    for (const { questionId, answer, answeredAt } of answers) {
      places.push(at + 1)
      questions.push(questionId)
      texts.push(answer)
      times.push(answeredAt)
    }
  })
  if (places.length === 0) return writeOpened(pool, writes, [], [])
  return writeOpened(pool, writes, [KEPT, SAVED], [listOf(places), questions, texts, listOf(times)])
}

import { ANSWER_VALUES, QUESTION_KEYS } from '../../../contract/quiz.ts'
import { judge, note } from '../table.ts'
import type { Bed } from './bed.ts'

const ROWS = 60_000
/** Visits in progress at once: their rows are interleaved. */
const VISITS = 5_000
/**
 * Bytes on disk and WAL per row with all its indexes, against one wide jsonb row of the same page view with a v4 key
 * and an index to find a visit by. Every table starts empty after a checkpoint; 100 rows per statement, those of many
 * visits interleaved. The limits apply to the measured wide row, or to 270 B on disk and 413 B of WAL where that is
 * less.
 */
export async function storage({ pool }: Bed): Promise<void> {
  await pool.query(`create table wide (id uuid primary key default gen_random_uuid(), session_id uuid not null, data
    jsonb not null, created_at timestamptz not null default now());
    create index on wide (session_id)`)
  await pool.query('insert into sessions (client_key) select gen_random_uuid()::text from generate_series(1, $1)', [
    VISITS,
  ])
  await pool.query(`create table visits as select row_number() over () - 1 as n, id, key
    from sessions; create unique index on visits (n); analyze visits;
    create table questions (n int, name text, answer text)`)
  // the quiz's own questions, each with one of its answers
  const answers = QUESTION_KEYS.map((key) => ANSWER_VALUES[key].at(-1) ?? '')
  await pool.query(
    'insert into questions select ordinality - 1, name, answer from unnest($1::text[], $2::text[]) with ' +
      'ordinality as q(name, answer)',
    [QUESTION_KEYS, answers],
  )

  const size = async (tables: string[]) =>
    Number(
      (
        await pool.query<{ n: string }>(
          `select sum(pg_total_relation_size(relid)) as n from (select t as relid from ` +
            `unnest($1::regclass[]) t union select inhrelid from pg_inherits where inhparent = any ` +
            `($1::regclass[])) x`,
          [tables],
        )
      ).rows[0]?.n,
    )
  const measure = async (table: string, insert: string): Promise<{ bytes: number; wal: number }> => {
    await pool.query(`truncate ${table}`)
    await pool.query('checkpoint')
    const lsn = (await pool.query<{ l: string }>('select pg_current_wal_insert_lsn() as l')).rows[0]?.l
    for (let at = 0; at < ROWS; at += 100) await pool.query({ name: table, text: insert, values: [at] })
    const { rows } = await pool.query<{ n: string }>('select pg_current_wal_insert_lsn() - $1::pg_lsn as n', [lsn])
    return { bytes: (await size([table])) / ROWS, wal: Number(rows[0]?.n) / ROWS }
  }
  // 7919 is prime to the number of visits: neighbours in time belong to visits far apart
  const some = `from generate_series($1::int, $1::int + 99) i join visits v on v.n = i * 7919 % ${VISITS}`
  const wide = await measure(
    'wide',
    `insert into wide (session_id, data) select v.id, jsonb_build_object('type', 'page_view', 'url', ` +
      `'/quiz', 'title', 'A title', 'step', '7', 'referrer', '/quiz', 'seconds', 12, 'scroll', 80, ` +
      `'interactions', 3) ${some}`,
  )
  const view = await measure(
    'page_views',
    `insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions) ` +
      `select v.key, '/quiz', 'A title', '7', '/quiz', 12, 80, 3 ${some}`,
  )
  const activity = await measure(
    'activities',
    `insert into activities (session_key, type, data, page_url) select v.key, 'clicked', '{"n":1}', '/quiz' ${some}`,
  )
  const answer = await measure(
    'quiz_answers',
    `insert into quiz_answers (session_id, question_id, answer) select v.id, q.name, q.answer ${some} join ` +
      `questions q on q.n = i / ${VISITS}`,
  )

  note('wide row', `${wide.bytes.toFixed(0)} B, ${wide.wal.toFixed(0)} B WAL`)
  const [bytes, wal] = [Math.min(wide.bytes, 270), Math.min(wide.wal, 413)]
  for (const [name, one, most] of [
    ['page view', view, 0.5],
    ['activity', activity, 0.5],
    ['answer', answer, 0.55],
  ] as const) {
    judge(`${name}, ${one.bytes.toFixed(0)} B of a wide row's`, one.bytes / bytes, most, '×')
    judge(`${name}, ${one.wal.toFixed(0)} B of WAL of a wide row's`, one.wal / wal, most, '×')
  }
}

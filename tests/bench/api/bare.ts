/**
 * The least that could answer the same requests: Express with its own parser, rows gathered as the service gathers them,
 * one plain insert a batch. It knows no token, no limit and no wrong field, and a row that comes twice is there twice.
 * What it reaches of the floor is what this machine leaves for all of that.
 */
import express from 'express'
import pg from 'pg'
import type { SaveAnswersRequest, PageViewEvent } from '../../../contract/api.ts'
import { createMicroBatch } from '../../../payments-service/micro-batch.ts'

const LANES = 2
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 2 * LANES })
pool.on('error', () => undefined)

function gathered<Item>(name: string, text: string, columns: (items: readonly Item[]) => unknown[]) {
  return createMicroBatch<Item, undefined>({
    lanes: LANES,
    most: 200,
    worthwhile: 8,
    longest: 5_000,
    overloaded: () => new Error('too many rows wait'),
    write: async (items) => {
      await pool.query({ name, text, values: columns(items) })
      return items.map(() => undefined)
    },
  })
}

const answers = gathered<SaveAnswersRequest['answers'][number] & { sessionId: string }>(
  'answers',
  'insert into quiz_answers (session_id, question_id, answer, updated_at) select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])',
  (rows) => [
    rows.map(({ sessionId }) => sessionId),
    rows.map(({ questionId }) => questionId),
    rows.map(({ answer }) => answer),
    rows.map(({ answeredAt }) => answeredAt),
  ],
)

const views = gathered<PageViewEvent & { key: string }>(
  'views',
  'insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions) select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::int[])',
  (rows) => [
    rows.map(({ key }) => key),
    rows.map(({ url }) => url),
    rows.map(({ title }) => title),
    rows.map(({ step }) => step),
    rows.map(({ referrer }) => referrer),
    rows.map(({ seconds }) => seconds),
    rows.map(({ scrollDepth }) => scrollDepth),
    rows.map(({ interactions }) => interactions),
  ],
)

const { rows } = await pool.query<{ id: string; key: string }>('select id, key from sessions')
const keys = new Map(rows.map(({ id, key }) => [id, key]))

const app = express()
app.disable('x-powered-by').disable('etag').use(express.json())
app.get('/readyz', (_req, res) => void res.json({ ready: true }))
app.post('/api/sessions/:sessionId/answers', async (req, res) => {
  const { answers: given } = req.body as SaveAnswersRequest
  const { sessionId } = req.params
  await Promise.all(given.map((answer) => answers.add({ ...answer, sessionId })))
  res.json({ saved: given.length })
})
app.post('/api/track', async (req, res) => {
  const { sessionId, events } = req.body as { sessionId: string; events: PageViewEvent[] }
  await Promise.all(events.map((event) => views.add({ ...event, key: keys.get(sessionId) ?? '0' })))
  res.json({ accepted: events.length, refused: [] })
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

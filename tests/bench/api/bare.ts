/**
 * The least that could answer the same requests: Express with its own parser, rows gathered as the service gathers
 * them, one plain insert a batch. It knows no token, no limit and no wrong field, and a row that comes twice is there
 * twice. What it reaches of the floor is what this machine leaves for all of that.
 */
import express from 'express'
import pg from 'pg'
import type { SaveAnswersRequest, PageViewEvent } from '../../../contract/api.ts'
import { createMicroBatch } from '../../../payments-service/micro-batch.ts'
import { GATHERED } from '../../../payments-service/service.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 2 * GATHERED.lanes })
pool.on('error', () => undefined)

/** Micro-batches of one prepared insert, whose parameters are the columns `keys` of the batch. */
function gathered<Item>(name: string, keys: readonly (keyof Item)[], text: string) {
  const write = async (items: readonly Item[]): Promise<undefined[]> => {
    await pool.query({ name, text, values: keys.map((key) => items.map((item) => item[key])) })
    return items.map(() => undefined)
  }
  return createMicroBatch<Item, undefined>({ ...GATHERED, write })
}

const answers = gathered<SaveAnswersRequest['answers'][number] & { sessionId: string }>(
  'answers',
  ['sessionId', 'questionId', 'answer', 'answeredAt'],
  'insert into quiz_answers (session_id, question_id, answer, updated_at) select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])',
)

const views = gathered<PageViewEvent & { key: string }>(
  'views',
  ['key', 'url', 'title', 'step', 'referrer', 'seconds', 'scrollDepth', 'interactions'],
  'insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions) select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::int[])',
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

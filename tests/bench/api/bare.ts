/**
 * The least that could answer the same requests: Express with its own parser and one insert per request. It has no
 * tokens, limits or validation, and stores a repeated row twice. The share of the floor that it reaches is the most
 * that this machine allows any service.
 */
import express from 'express'
import pg from 'pg'
import type { SaveAnswersRequest, PageViewEvent } from '../../../contract/api.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
pool.on('error', () => undefined)

const { rows } = await pool.query<{ id: string; key: string }>('select id, key from sessions')
const keys = new Map(rows.map(({ id, key }) => [id, key]))

const app = express()
app.disable('x-powered-by').disable('etag').use(express.json())
app.get('/readyz', (_req, res) => void res.json({ ready: true }))
app.post('/api/sessions/:sessionId/answers', async (req, res) => {
  const { answers } = req.body as SaveAnswersRequest
  await pool.query(
    `insert into quiz_answers (session_id, question_id, answer, updated_at)
    select $1, "questionId", answer, "answeredAt"
    from json_to_recordset($2) as a("questionId" text, answer text, "answeredAt" timestamptz)`,
    [req.params.sessionId, JSON.stringify(answers)],
  )
  res.json({ saved: answers.length })
})
app.post('/api/track', async (req, res) => {
  const { sessionId, events } = req.body as { sessionId: string; events: PageViewEvent[] }
  await pool.query(
    `insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions)
    select $1, url, title, step, referrer, seconds, "scrollDepth", interactions
    from json_to_recordset($2) as v(url text, title text, step text, referrer text, seconds int,
      "scrollDepth" smallint, interactions int)`,
    [keys.get(sessionId) ?? '0', JSON.stringify(events)],
  )
  res.json({ accepted: events.length, refused: [] })
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

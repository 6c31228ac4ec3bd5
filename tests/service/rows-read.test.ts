/** How many rows the writes of tokens, answers and events read, whatever PostgreSQL's statistics say. */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { answersWrite } from '../../payments-service/sessions/answers.queries.ts'
import { replaceToken } from '../../payments-service/sessions/browsers.queries.ts'
import { type Opened, type Presented, writeOpened } from '../../payments-service/sessions/opened.queries.ts'
import { type EventRows, eventsWrite } from '../../payments-service/tracking/track.queries.ts'
import { createTestDatabase } from '../support/database.ts'

/** Rows of one request, as a browser sends what has waited. */
const ROWS = 12
const each = <Row>(row: (i: number) => Row): Row[] => Array.from({ length: ROWS }, (_, i) => row(i))

let ids = BigInt(Date.now() - Date.UTC(2020, 0, 1)) << 21n
const view = (place: number) => ({
  id: String(ids++),
  url: '/quiz',
  title: null,
  step: '7',
  referrer: null,
  seconds: 1,
  depth: 1,
  interactions: 1,
  revision: 'rev',
  stepKey: 'eye-color',
  place,
})
const activity = () => ({ id: String(ids++), type: 'clicked', data: null, url: '/quiz', title: null, duration: null })
const trouble = (n: number) => ({
  id: randomUUID(),
  type: 'Error',
  message: 'm',
  stack: null,
  url: null,
  userAgent: null,
  fingerprint: `f${n}`,
})

const NONE: EventRows = { views: [], activities: [], errors: [] }

const WRITES: Record<string, (n: number) => Parameters<typeof writeOpened>[2]> = {
  answers: (n) => [
    answersWrite(each((i) => ({ questionId: `q${n}-${i}`, answer: 'a', answeredAt: new Date().toISOString() }))),
  ],
  'page views': (n) => eventsWrite({ ...NONE, views: each(() => view(n)) }),
  activities: () => eventsWrite({ ...NONE, activities: each(activity) }),
  errors: (n) => eventsWrite({ ...NONE, errors: each(() => trouble(n % 3)) }),
}

/** Others' rows, as many as arrive in a minute before PostgreSQL analyzes the tables again. */
const GROWTH = `
  insert into quiz_answers (session_id, question_id, answer)
    select gen_random_uuid(), 'q', 'a' from generate_series(1, 20000);
  insert into page_views (session_key, url) select n, '/quiz' from generate_series(1000, 21000) n;
  insert into activities (session_key, type) select n, 'clicked' from generate_series(1000, 21000) n;
  insert into session_errors (id, session_key, type, message, fingerprint)
    select uuidv7(), n, 'Error', 'm', 'f' from generate_series(1000, 21000) n;
  insert into session_progress (session_key, furthest) select n, 3 from generate_series(1000, 21000) n;
`

async function rowsRead(pool: pg.Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ n: string }>(
    `select (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables)
      + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes) as n`,
  )
  return Number(rows[0]?.n)
}

describe.each([
  ['before PostgreSQL has looked at the tables', ''],
  ['when it has found them empty', 'vacuum analyze'],
])('a plan made %s', (_, look) => {
  test.each(Object.keys(WRITES))('Q-10 D-08 never reads a table whole for %s', async (kind) => {
    const { url, drop } = await createTestDatabase()
    const { db, pool, close } = connect(url, { max: 1 })
    try {
      if (look) await pool.query(look)
      const visit: Presented = { sessionId: randomUUID(), tokenHash: randomBytes(32) }
      await pool.query('insert into sessions (id, client_key) values ($1, $2)', [visit.sessionId, randomUUID()])
      await pool.query(
        "insert into session_access (token_hash, session_id, kind, expires_at) values ($1, $2, 'browser', " +
          "now() + interval '1 day')",
        [visit.tokenHash, visit.sessionId],
      )
      const write = (n: number): Promise<Opened | undefined> =>
        writeOpened(db, visit, (WRITES[kind] as (typeof WRITES)[string])(n))
      const opened = { fresh: true, idle: false }
      for (let n = 0; n < 10; n++) expect(await write(n)).toEqual(opened)
      await pool.query(GROWTH)
      const before = await rowsRead(pool)
      for (let n = 10; n < 15; n++) expect(await write(n)).toEqual(opened)
      expect((await rowsRead(pool)) - before).toBeLessThan(1_000)
    } finally {
      await close()
      await drop()
    }
  })
})

const TOKENS = `
  insert into session_access (token_hash, session_id, kind, replaces, created_at, last_used_at, expires_at)
  select sha256(n::text::bytea), $1, 'browser', case when n > 1 then sha256((%s)::text::bytea) end,
    now() - interval '10 minutes', now() - interval '9 minutes', now() + interval '1 minute'
  from generate_series(1, 1000) n`

describe.each([
  ['one after the other', 'n - 1', 1_000],
  ['all from the first', '1', 1],
])('a thousand tokens of one browser, %s', (_, replaced, last) => {
  test('D-01 P-02 another one is added by reading each of them a few times', async () => {
    const { url, drop } = await createTestDatabase()
    const { db, pool, close } = connect(url, { max: 1 })
    try {
      const sessionId = randomUUID()
      await pool.query('insert into sessions (id, client_key) values ($1, $2)', [sessionId, randomUUID()])
      await pool.query(TOKENS.replace('%s', replaced), [sessionId])
      const replaces = hash('sha256', String(last), 'buffer')
      const before = await rowsRead(pool)
      await replaceToken(db, { sessionId, hash: randomBytes(32), kind: 'browser', replaces, days: 180 })
      expect((await rowsRead(pool)) - before).toBeLessThan(20_000)
      const live = db.selectFrom('session_access').select('token_hash').where('revoked_at', 'is', null)
      expect(await live.execute()).toHaveLength(1_001)
    } finally {
      await close()
      await drop()
    }
  })
})

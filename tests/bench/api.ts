/**
 * The service's writes against a plain prepared `pg` pool that inserts the same rows into the same database, side by side
 * in one run: load at 32 connections, medians of 3 rounds. Then bytes and WAL a row, and with --large what many rows cost.
 * `node tests/bench/api.ts [--large]`; ends with 1 when a number of issue 6 is not reached.
 */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connect } from '../../db/connect.ts'
import { ensureDatabase, startPostgres } from '../../db/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { anyPort } from '../../scripts/settings.ts'
import { environment } from '../service/service.ts'

const CONNECTIONS = 32
const ROUNDS = 3
const SECONDS = 4
const large = process.argv.includes('--large')
const missed: string[] = []

const folder = mkdtempSync(join(tmpdir(), 'eye-bench-'))
chmodSync(folder, 0o755)
const server = await startPostgres({ dataDir: join(folder, 'data'), password: randomBytes(12).toString('hex') })
const url = await ensureDatabase(server.url, 'bench')
const { db, close } = connect(url, { max: 2 })
await migrate(db)
const pool = new pg.Pool({ connectionString: url, max: 16 })
const port = await anyPort()
const service = spawn(process.execPath, ['payments-service/main.ts'], {
  env: { ...process.env, ...clean(environment({ DATABASE_URL: url, PORT: String(port), LOG_LEVEL: 'silent' })) },
  stdio: ['ignore', 'ignore', 'inherit'],
})

try {
  await untilReady()
  const visitors: Awaited<ReturnType<typeof visit>>[] = []
  for (let n = 0; n < 200; n += 20) visitors.push(...(await Promise.all(Array.from({ length: 20 }, visit))))
  const keys = (await pool.query<{ key: string; id: string }>('select key, id from sessions')).rows
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
  console.log(`${CONNECTIONS} connections, ${SECONDS} s a round, median of ${ROUNDS}\n`)

  await compare('create a session', { least: 0.5, p99: 2.5 }, rawSession, async () => {
    await post('/api/sessions', { clientKey: randomUUID(), attribution: { last: { utm_source: 'bench' } } })
  })
  await compare(
    'answer',
    { least: 1.1 },
    () =>
      prepared('answer', 'insert into quiz_answers (session_id, question_id, answer, answered_at) values ($1, $2, $3, $4)', [any(keys).id, randomUUID(), 'More than 8 hours', new Date()]), // prettier-ignore
    () => {
      const { sessionId, cookie } = any(visitors)
      const answers = [{ questionId: randomUUID(), answer: 'More than 8 hours', answeredAt: new Date().toISOString() }]
      return post(`/api/sessions/${sessionId}/answers`, { answers }, cookie)
    },
  )
  await compare(
    'page view',
    { least: 1.1 },
    () =>
      prepared('view', 'insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions) values ($1, $2, $3, $4, $5, $6, $7, $8)', [any(keys).key, '/quiz', 'A title', '7', '/quiz', 12, 80, 3]), // prettier-ignore
    () => {
      const { sessionId, cookie } = any(visitors)
      return post('/api/track', { sessionId, events: [{ kind: 'page_view', id: timedId(), url: '/quiz', title: 'A title', step: '7', referrer: '/quiz', seconds: 12, scrollDepth: 80, interactions: 3 }] }, cookie) // prettier-ignore
    },
  )
  await compare(
    'activity',
    { least: 1.1 },
    () =>
      prepared('activity', 'insert into activities (session_key, type, data, page_url) values ($1, $2, $3, $4)', [any(keys).key, 'clicked', '{"n":1}', '/quiz']), // prettier-ignore
    () => {
      const { sessionId, cookie } = any(visitors)
      return post('/api/track', { sessionId, events: [{ kind: 'activity', id: timedId(), type: 'clicked', data: { n: 1 }, url: '/quiz' }] }, cookie) // prettier-ignore
    },
  )
  await storage()
  if (large) await manyRows()
} finally {
  await pool.end()
  await close()
  service.kill('SIGTERM')
  await new Promise((ended) => service.once('exit', ended))
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(missed.length > 0 ? `\nNot reached: ${missed.join(', ')}` : '\nAll numbers reached')
process.exitCode = missed.length > 0 ? 1 : 0

function clean(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

async function untilReady(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok, () => false) // prettier-ignore
    if (ready) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('the service did not start')
}

function post(path: string, body: unknown, cookie?: string): Promise<string | undefined> {
  agent ??= new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      // every visitor has an address of their own: the limits are not what is measured
      'x-forwarded-for': Array.from(randomBytes(4)).join('.'),
      ...(cookie ? { cookie } : {}),
    }
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        if (answer.statusCode !== 200) return reject(new Error(`${answer.statusCode} ${Buffer.concat(chunks)}`))
        lastCookie = answer.headers['set-cookie']?.[0]?.split(';')[0]
        resolve(`${Buffer.concat(chunks)}\n${lastCookie ?? ''}`)
      })
    })
    call.on('error', reject)
    call.end(text)
  })
}
var agent: Agent | undefined // eslint-disable-line no-var -- used by functions above its line
var lastCookie: string | undefined // eslint-disable-line no-var

async function visit(): Promise<{ sessionId: string; cookie: string }> {
  const [body = '', cookie = ''] = ((await post('/api/sessions', { clientKey: randomUUID() })) ?? '').split('\n')
  return { sessionId: (JSON.parse(body) as { sessionId: string }).sessionId, cookie }
}

function prepared(name: string, text: string, values: unknown[]): Promise<unknown> {
  return pool.query({ name, text, values })
}

/** The four rows of a new session in one transaction, prepared, by hand. */
async function rawSession(): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const made = await client.query<{ id: string; key: string }>({ name: 's1', text: 'insert into sessions (client_key) values ($1) returning id, key', values: [randomUUID()] }) // prettier-ignore
    const [{ id, key } = { id: '', key: '' }] = made.rows
    await client.query({ name: 's2', text: 'insert into session_metadata (session_id, utm_source, last_touch) values ($1, $2, $3)', values: [id, 'bench', '{"utm_source":"bench"}'] }) // prettier-ignore
    await client.query({ name: 's3', text: "insert into activities (session_key, type) values ($1, 'quiz_start')", values: [key] }) // prettier-ignore
    await client.query({ name: 's4', text: "insert into session_access (token_hash, session_id, kind, expires_at) values ($1, $2, 'browser', now() + interval '180 days')", values: [randomBytes(32), id] }) // prettier-ignore
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function load(work: () => Promise<unknown>): Promise<{ rate: number; p99: number }> {
  const end = performance.now() + SECONDS * 1_000
  const times: number[] = []
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const at = performance.now()
        await work()
        times.push(performance.now() - at)
      }
    }),
  )
  times.sort((a, b) => a - b)
  const seconds = (performance.now() - started) / 1_000
  return { rate: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function compare(
  name: string,
  limit: { least: number; p99?: number },
  raw: () => Promise<unknown>,
  ours: () => Promise<unknown>,
): Promise<void> {
  const rounds: { raw: Awaited<ReturnType<typeof load>>; ours: Awaited<ReturnType<typeof load>> }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push({ raw: await load(raw), ours: await load(ours) })
  const ratio = median(rounds.map((round) => round.ours.rate / round.raw.rate))
  const slow = median(rounds.map((round) => round.ours.p99 / round.raw.p99))
  const per = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick)).toFixed(0)
  console.log(`${name.padEnd(18)} ${per(({ ours }) => ours.rate).padStart(6)}/s  raw ${per(({ raw }) => raw.rate).padStart(6)}/s  ${ratio.toFixed(2)}×  p99 ${per(({ ours }) => ours.p99)} ms (${slow.toFixed(1)}× raw)`) // prettier-ignore
  if (ratio < limit.least) missed.push(`${name} ${ratio.toFixed(2)}× < ${limit.least}×`)
  if (limit.p99 && slow > limit.p99) missed.push(`${name} p99 ${slow.toFixed(1)}× > ${limit.p99}×`)
}

function timedId(): string {
  const hex = Date.now().toString(16).padStart(12, '0') + randomUUID().replaceAll('-', '').slice(12)
  return hex.replace(/^(.{8})(.{4}).(.{3})(.{4})(.{12})$/, '$1-$2-7$3-$4-$5')
}

/** Bytes and WAL of a row, against one wide jsonb row with a v4 key and an index on the session. */
async function storage(): Promise<void> {
  const rows = 50_000
  await pool.query(`create table wide (id uuid primary key default gen_random_uuid(), session_id uuid not null, data jsonb not null, created_at timestamptz not null default now()); create index on wide (session_id)`) // prettier-ignore
  const measure = async (tables: string[], insert: string): Promise<{ bytes: number; wal: number }> => {
    const size = async () => Number((await pool.query(`select sum(pg_total_relation_size(relid)) as n from (select t as relid from unnest($1::regclass[]) t union select inhrelid from pg_inherits where inhparent = any ($1::regclass[])) x`, [tables])).rows[0].n) // prettier-ignore
    await pool.query('checkpoint')
    const [bytes, lsn] = [await size(), (await pool.query('select pg_current_wal_lsn() as l')).rows[0].l as string]
    for (let at = 0; at < rows; at += 100) await pool.query(insert.replaceAll('$n', '100'))
    const wal = Number((await pool.query('select pg_current_wal_lsn() - $1::pg_lsn as n', [lsn])).rows[0].n)
    return { bytes: ((await size()) - bytes) / rows, wal: wal / rows }
  }
  const session = `(select id from sessions offset floor(random() * 150) limit 1)`
  const key = `(select key from sessions offset floor(random() * 150) limit 1)`
  const wide = await measure(['wide'], `insert into wide (session_id, data) select ${session}, jsonb_build_object('url', '/quiz', 'title', 'A title', 'step', '7', 'referrer', '/quiz', 'seconds', 12, 'scroll', 80, 'interactions', 3, 'n', n) from generate_series(1, $n) n`) // prettier-ignore
  const views = await measure(['page_views'], `insert into page_views (session_key, url, title, step, referrer, seconds, scroll_depth, interactions) select ${key}, '/quiz', 'A title', '7', '/quiz', 12, 80, 3 from generate_series(1, $n)`) // prettier-ignore
  const answers = await measure(['quiz_answers'], `insert into quiz_answers (session_id, question_id, answer) select ${session}, 'question' || substr(md5(random()::text), 1, 8), 'More than 8 hours' from generate_series(1, $n)`) // prettier-ignore
  const say = (name: string, one: typeof wide, most: number): void => {
    const [bytes, wal] = [one.bytes / wide.bytes, one.wal / wide.wal]
    console.log(`${name.padEnd(18)} ${one.bytes.toFixed(0)} B, ${one.wal.toFixed(0)} B WAL a row; ${bytes.toFixed(2)}× and ${wal.toFixed(2)}× of the wide row (${wide.bytes.toFixed(0)} B, ${wide.wal.toFixed(0)} B)`) // prettier-ignore
    if (bytes > most) missed.push(`${name} ${bytes.toFixed(2)}× the bytes > ${most}×`)
    if (wal > most) missed.push(`${name} ${wal.toFixed(2)}× the WAL > ${most}×`)
  }
  console.log('')
  say('page view', views, 0.5)
  say('answer', answers, 0.55)
}

/** A million sessions, three and ten million page views: what the funnel, an insert and a read cost then. */
async function manyRows(): Promise<void> {
  console.log('')
  const insert = `insert into page_views (session_key, url, step, seconds) select (random() * 1e6)::bigint, '/quiz', '7', 9 from generate_series(1, 1000)` // prettier-ignore
  const rate = async (): Promise<number> => {
    const rates: number[] = []
    for (let round = 0; round < 5; round++) {
      const at = performance.now()
      for (let n = 0; n < 20; n++) await pool.query(insert)
      rates.push(20_000 / ((performance.now() - at) / 1_000))
    }
    return median(rates)
  }
  /** Ten page views a visit, however many visits there are: the same answer from a small and from a large table. */
  const read = async (visits: number): Promise<number> => {
    const times: number[] = []
    for (let n = 0; n < 400; n++) {
      const at = performance.now()
      await pool.query({ name: 'read', text: 'select id, url, step, seconds from page_views where session_key = $1 order by id desc limit 50', values: [Math.floor(Math.random() * visits)] }) // prettier-ignore
      times.push(performance.now() - at)
    }
    return median(times)
  }
  const fill = (rows: number, visits: number) => pool.query(`insert into page_views (session_key, url, title, step, seconds, scroll_depth, interactions) select (random() * ${visits})::bigint, '/quiz', 'A title', '7', 9, 80, 3 from generate_series(1, ${rows})`) // prettier-ignore
  await pool.query('truncate page_views')
  const emptyRate = await rate()
  await pool.query('truncate page_views')
  await fill(10_000, 1_000)
  await pool.query('vacuum analyze page_views')
  const smallRead = await read(1_000)
  await pool.query('truncate page_views')
  await fill(3_000_000, 1_000_000)
  const fullRate = await rate()
  await fill(7_000_000, 1_000_000)
  await pool.query('vacuum analyze page_views')
  const bigRead = await read(1_000_000)
  console.log(`interleaved inserts ${fullRate.toFixed(0)}/s at 3 million rows, ${emptyRate.toFixed(0)}/s empty: ${(fullRate / emptyRate).toFixed(2)}×`) // prettier-ignore
  console.log(`reading a visit's page views: ${bigRead.toFixed(2)} ms of 10 million, ${smallRead.toFixed(2)} ms of 10 thousand: ${(bigRead / smallRead).toFixed(2)}×`) // prettier-ignore
  if (fullRate < emptyRate * 0.9) missed.push('insert rate at 3 million rows')
  if (bigRead > smallRead * 1.3) missed.push('read of 10 million page views')

  await pool.query(`insert into sessions (created_at, selected_price_cents, checkout_opened_at, payment_status, paid_at)
    select now() - random() * interval '90 days', (array[null, 100, 500, 900, 1767])[1 + floor(random() * 5)],
      case when n % 5 = 0 then now() end, case when n % 50 = 0 then 'paid' else 'unpaid' end, case when n % 50 = 0 then now() end
    from generate_series(1, 1000000) n`)
  await pool.query(`insert into session_metadata (session_id, utm_source) select id, (array['facebook','google','mail','tiktok',null])[1 + (key % 5)] from sessions on conflict do nothing`) // prettier-ignore
  await pool.query(`insert into session_progress (session_key, furthest) select key, (random() * 33)::int from sessions on conflict do nothing`) // prettier-ignore
  await pool.query('analyze sessions; analyze session_progress; analyze session_metadata')
  let at = performance.now()
  let longest = 0
  for (let rest = 1; rest > 0;) {
    const piece = performance.now()
    rest = (await pool.query<{ rest: number }>('select refresh_funnel() as rest')).rows[0]?.rest ?? 0
    longest = Math.max(longest, performance.now() - piece)
  }
  const first = performance.now() - at
  const view = async (): Promise<number> => {
    at = performance.now()
    await pool.query(`select stage, step, sum(sessions), sum(revenue_cents) from funnel_counts where day > current_date - 91 group by 1, 2 order by 1`) // prettier-ignore
    return performance.now() - at
  }
  const shown = median([await view(), await view(), await view(), await view(), await view()])
  await pool.query(`update session_progress set furthest = furthest + 1, updated_at = clock_timestamp() + interval '30 seconds' where session_key in (select key from sessions order by created_at desc limit 50)`) // prettier-ignore
  at = performance.now()
  await pool.query('select refresh_funnel()')
  console.log(`funnel of 1 million sessions: ${shown.toFixed(0)} ms; counting all days ${(first / 1_000).toFixed(1)} s in pieces of at most ${longest.toFixed(0)} ms, those that changed ${(performance.now() - at).toFixed(0)} ms`) // prettier-ignore
  if (shown > 300) missed.push(`funnel view ${shown.toFixed(0)} ms > 300 ms`)
}

/** The numbers of the quiz's steps, for editors who prove their own sign-in at the content lake. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, type EditorsLake, startEditorsLake, STUDIO, withLake } from './editors.ts'
import { Browser, type RunningService, startService } from './service.ts'

const PATH = '/api/numbers/steps'
let lake: EditorsLake
let running: RunningService
let browser: Browser

beforeAll(async () => {
  lake = await startEditorsLake()
  running = await startService({ env: lake.env })
  browser = new Browser(running.url)
  await sql`insert into quiz_revisions
    values ('before', now() - interval '9 days'), ('after', now() - interval '2 days')`.execute(running.db)
  await sql`insert into step_counts
    select current_date - 1, revision, place, 'key-' || place, 'direct', 'en', 'mobile', outcome::step_outcome, place,
      case outcome when 'left' then 30 when 'paid' then 20 else 450 end
    from unnest(array['before', 'after']) revision, generate_series(1, 3) place,
      unnest(array['went_on', 'left', 'paid']) outcome`.execute(running.db)
  await sql`insert into step_counts values
    (current_date - 1, 'after', 4, 'key-4', 'direct', 'en', 'mobile', 'left', 3, 9)`.execute(running.db)
  await sql`insert into answer_counts (day, revision, question, value, source, language, device, visitors) values
    (current_date - 1, 'after', 'glasses', null, 'direct', 'en', 'mobile', 100),
    (current_date - 1, 'after', 'glasses', 'yes', 'direct', 'en', 'mobile', 60),
    (current_date - 1, 'after', 'glasses', 'no', 'direct', 'en', 'mobile', 31),
    (current_date - 1, 'after', 'glasses', 'a name that somebody typed', 'direct', 'en', 'mobile', 9),
    (current_date - 1, 'after', 'rare', null, 'direct', 'en', 'mobile', 9),
    (current_date - 1, 'after', 'rare', 'yes', 'direct', 'en', 'mobile', 9)`.execute(running.db)
})
afterAll(async () => {
  await running.stop()
  await lake.close()
})

test('D-09 K-03 an editor who is signed in at the lake gets the numbers of each step, with intervals', async () => {
  const { status, body } = await browser.get(PATH, bearer(await lake.signIn()))
  expect(status).toBe(200)
  expect(body.steps).toHaveLength(4)
  expect(body.steps[0]).toMatchObject({
    place: 1,
    key: 'key-1',
    figures: { entered: 1000, left: 60, medianSeconds: 1, stayed: { share: 0.94 }, paid: { share: 0.04 } },
    change: { before: 0.94, after: 0.94, visitors: 500, verdict: 'too few to tell yet' },
  })
  const { stayed } = body.steps[0].figures
  expect([stayed.low < 0.94, stayed.high > 0.94]).toEqual([true, true])
  expect(body.edit.revision).toBe('after')
  // nine people are too few to be shown
  expect(body.steps[3]).toMatchObject({ key: 'key-4', figures: null })
  const one = await browser.get(`${PATH}?revision=before`, bearer(await lake.signIn()))
  expect(one.body.steps[0].figures.entered).toBe(500)
})

test('D-09 shares of answers are told of ten visitors and more, and nothing that fewer typed', async () => {
  const { body } = await browser.get(PATH, bearer(await lake.signIn()))
  expect(body.answers).toEqual([
    {
      question: 'glasses',
      answered: 100,
      values: [
        { value: 'yes', share: expect.objectContaining({ share: 0.6 }) },
        { value: 'no', share: expect.objectContaining({ share: 0.31 }) },
      ],
    },
  ])
  expect(JSON.stringify(body)).not.toContain('a name')
  const elsewhere = await browser.get(`${PATH}?revision=unknown`, bearer(await lake.signIn()))
  expect(elsewhere.body.answers).toEqual([])
})

test('N-02 nobody else does: no token, an invented one, one in a cookie or an address', async () => {
  const token = await lake.signIn()
  for (const headers of [
    {},
    bearer('an-invented-token-0123456789'),
    { authorization: `Basic ${token}` },
    { cookie: `token=${token}` },
    bearer('x'.repeat(2_000)),
  ] as Record<string, string>[]) {
    const { status, body } = await browser.get(PATH, headers)
    expect([status, body.error.code]).toEqual([401, 'sign_in_required'])
  }
  expect((await browser.get(`${PATH}?token=${token}`)).status).toBe(401)
})

test('N-02 only a page of the Studio may read the answer, and nothing is asked of a cookie', async () => {
  const asked = (method: string, origin: string) =>
    fetch(running.url + PATH, { method, headers: { origin, 'access-control-request-headers': 'authorization' } })
  const preflight = await asked('OPTIONS', STUDIO)
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe(STUDIO)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  expect((await asked('GET', STUDIO)).headers.get('access-control-allow-origin')).toBe(STUDIO)
  for (const origin of ['https://evil.example', 'null', `${STUDIO}.evil.example`]) {
    const answer = await asked('OPTIONS', origin)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.status).toBe(405)
  }
})

interface Stranger {
  asked: number
  answer: { status: number; body: object }
}

/** A lake that knows people who have no role in the project, or does not answer. */
async function strangeLake(): Promise<{ server: Server; url: string; state: Stranger }> {
  const state: Stranger = { asked: 0, answer: { status: 200, body: {} } }
  const server = createServer((_req, res) => {
    state.asked++
    res.writeHead(state.answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(state.answer.body))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state }
}

test('N-02 a user of Sanity without a role here is refused; one with a role is asked about once a minute', async () => {
  const { server, url, state } = await strangeLake()
  const other = await startService({ env: withLake(url) })
  const ask = (token: string) => new Browser(other.url).get(PATH, bearer(token))
  try {
    state.answer.body = { id: 'p-somebody', roles: [] }
    expect((await ask('stranger-token-0123456789')).body.error.code).toBe('no_access')
    state.answer.body = { id: 'p-editor', roles: [{ name: 'editor' }] }
    const before = state.asked
    const replies = await Promise.all([1, 2, 3].map(() => ask('editor-token-0123456789')))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(state.asked - before).toBe(1)
    // still refused
    expect((await ask('stranger-token-0123456789')).status).toBe(403)
    state.answer = { status: 503, body: {} }
    expect((await ask('another-token-0123456789')).body.error.code).toBe('service_unavailable')
    state.answer = { status: 200, body: { id: 'p-editor', roles: [{ name: 'editor' }] } }
    expect((await ask('another-token-0123456789')).status).toBe(200)
  } finally {
    await other.stop()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})

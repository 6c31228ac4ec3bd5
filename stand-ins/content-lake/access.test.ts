/** Who may read and write what: holders of the token, the Studio on this machine, anyone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSignIn } from './identity.ts'
import { clientOf, failure, STUDIO, testLake, TOKEN, type TestLake } from './fixture.ts'

let lake: TestLake
beforeAll(async () => {
  lake = await testLake()
  await lake.client.mutate(
    ['open', 'drafts.open', 'programme.day1', 'drafts.programme.day1', 'versions.r.open'].map((_id) => ({
      create: { _id, _type: 'page', title: _id },
    })) as never,
  )
})
afterAll(() => lake.stop())
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${lake.lake.url}/v2026-11-01${path}`, { headers })
const everything = '/data/query/production?perspective=raw&query=*%5B_type%3D%3D%22page%22%5D._id'
const list = async (headers: Record<string, string>) =>
  ((await (await get(everything, headers)).json()) as { result: string[] }).result
const all = ['drafts.open', 'drafts.programme.day1', 'open', 'programme.day1', 'versions.r.open']

test('anybody reads published documents without a dot, whatever the perspective or the endpoint', async () => {
  expect(await list({})).toEqual(['open'])
  expect(await lake.anybody.fetch('*[_type == "page"]._id', {}, { perspective: 'drafts' })).toEqual(['open'])
  expect(await lake.anybody.fetch('*[_id == "programme.day1"][0].title')).toBeNull()
  expect(await lake.anybody.getDocuments(['open', 'programme.day1', 'drafts.open', 'nope'])).toMatchObject([
    { _id: 'open' },
    null,
    null,
    null,
  ])
  expect((await (await get('/data/export/production')).text()).trim().split('\n')).toHaveLength(1)
  expect((await get('/data/history/production/transactions/open')).status).toBe(401)
})
test('a reference does not open what is closed', async () => {
  await lake.client.create({ _id: 'leak', _type: 'leak', to: { _type: 'reference', _ref: 'programme.day1' } })
  expect(await lake.anybody.fetch('*[_id == "leak"][0].to->title')).toBeNull()
  expect(await lake.client.fetch('*[_id == "leak"][0].to->title')).toBe('programme.day1')
})
test('the token reads and writes everything; the published perspective holds private documents for it', async () => {
  expect(await list({ authorization: `Bearer ${TOKEN}` })).toEqual(all)
  expect(await lake.client.fetch('*[_type == "page"]._id', {}, { perspective: 'published' })).toEqual([
    'open',
    'programme.day1',
  ])
  expect(await lake.client.fetch('*[_type == "page"]._id', {}, { perspective: 'drafts' })).toEqual([
    'open',
    'programme.day1',
  ])
})
test('a wrong token is 401, also for what anybody may read', async () => {
  expect((await failure(clientOf(lake.lake.url, 'wrong').fetch('*'))).status).toBe(401)
})
test('the Studio of this machine gets a token that proves its editor elsewhere; nobody else does', async () => {
  const { token } = (await (await get('/auth/fetch?sid=embedded', { origin: STUDIO })).json()) as { token: string }
  const me = (await (await get('/users/me', { authorization: `Bearer ${token}` })).json()) as object
  expect(me).toMatchObject({ name: 'Local Editor', roles: [{ name: 'administrator' }] })
  expect((await get('/auth/fetch', { origin: 'https://evil.example' })).status).toBe(401)
  expect((await get('/auth/fetch', { authorization: `Bearer ${TOKEN}` })).status).toBe(401)
  const [, until = '', mark = ''] = token.split('-')
  for (const forged of [`editor-${Number(until) + 1}-${mark}`, `editor-${until}-`, `editor-1-${mark}`])
    expect((await get('/users/me', { authorization: `Bearer ${forged}` })).status).toBe(401)
  expect((await get('/users/me', { authorization: `Bearer ${newSignIn(Date.now() - 13 * 3_600_000)}` })).status).toBe(
    401,
  )
})
test('pages of this machine are the Studio, pages of others are anybody', async () => {
  for (const origin of [STUDIO, 'http://127.0.0.1:4000', 'http://studio.localhost:1'])
    expect(await list({ origin })).toEqual(all)
  for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'http://evil.example:3333', 'null'])
    expect(await list({ origin })).toEqual(['open'])
  expect(await (await get('/users/me', { origin: STUDIO })).json()).toMatchObject({
    name: 'Local Editor',
    roles: [{ name: 'administrator' }],
  })
  expect((await get('/users/me')).status).toBe(401)
})
test('a list of Studio addresses narrows that', async () => {
  const strict = await testLake({ studioOrigins: [STUDIO] })
  const status = async (origin: string) =>
    (await fetch(`${strict.lake.url}/v1/users/me`, { headers: { origin } })).status
  expect([await status(STUDIO), await status('http://localhost:4321')]).toEqual([200, 401])
  await strict.stop()
})
test('nobody without rights writes', async () => {
  expect((await failure(lake.anybody.create({ _type: 'page' }))).status).toBe(401)
  expect((await failure(lake.anybody.assets.upload('file', Buffer.from('x')))).status).toBe(401)
  expect(
    (
      await failure(
        lake.anybody.action({ actionType: 'sanity.action.document.discard', draftId: 'drafts.open' } as never),
      )
    ).status,
  ).toBe(401)
  const answer = await fetch(`${lake.lake.url}/v2026-11-01/data/mutate/production`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: '{"mutations":[]}',
  })
  expect(answer.status).toBe(401)
})
test('CORS: the origin is echoed with credentials, preflights are answered', async () => {
  const answer = await fetch(`${lake.lake.url}/v1/data/query/production?query=*`, {
    method: 'OPTIONS',
    headers: { origin: STUDIO, 'access-control-request-headers': 'x-sanity-project-id,authorization' },
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe(STUDIO)
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
  expect(answer.headers.get('access-control-allow-headers')).toContain('x-sanity-project-id')
})
test('health, unknown endpoints, unreadable addresses, other projects', async () => {
  expect(await (await fetch(`${lake.lake.url}/healthz`)).json()).toMatchObject({ ok: true })
  for (const path of ['/nothing', '/data/nothing/production', '/projects/other000'])
    expect((await get(path)).status).toBe(404)
  expect((await fetch(`${lake.lake.url}/v1/data/doc/production/%E0%A4%A`)).status).toBe(400)
  expect((await get('/../../etc/passwd')).status).toBe(404)
})
test('an idle connection outlives a client that would use it again: none is reset under a request', async () => {
  expect((await get('/data/doc/production/open')).headers.get('keep-alive')).toBe('timeout=75')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type MetaStandIn, startMetaStandIn } from './receiver.ts'

let meta: MetaStandIn
beforeAll(async () => {
  meta = await startMetaStandIn()
})
afterAll(() => meta.close())

const HASH = 'a'.repeat(64)
const event = (more: object = {}) => ({
  event_name: 'Purchase',
  event_time: 1_795_000_000,
  event_id: 'one',
  action_source: 'website',
  event_source_url: 'https://sample.test/checkout',
  user_data: { em: [HASH] },
  ...more,
})
const send = ({ url }: MetaStandIn, path: string, body: unknown) =>
  fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
const post = (path: string, body: unknown) => send(meta, path, body)

test('T-02 the page and its JSON show what arrived, newest first, and an event cannot write markup', async () => {
  const meta = await startMetaStandIn()
  onTestFinished(() => meta.close())
  const post = (path: string, body: unknown) => send(meta, path, body)
  expect(await (await fetch(meta.url)).text()).toContain('None yet.')
  expect((await post('/4711/events', { data: [event()] })).status).toBe(200)
  const mark = '<img src=x>'
  expect((await post('/4711/events', { data: [event({ event_name: mark, event_id: '"two"' })] })).status).toBe(200)
  const page = await (await fetch(meta.url)).text()
  expect(page).toContain('Events, newest first (2)')
  expect(page).not.toContain(mark)
  expect(page.indexOf('&#34;two&#34;')).toBeLessThan(page.indexOf('<summary>one'))
  expect(await (await fetch(`${meta.url}/events`)).json()).toMatchObject([
    { pixelId: '4711', events: [{ event_id: 'one' }] },
    { pixelId: '4711', events: [{ event_id: '"two"' }] },
  ])
})

test.each([
  ['without a name', { event_name: undefined }, 'event_name'],
  ['with a time that is no number', { event_time: 'now' }, 'event_time'],
  ['about nobody', { user_data: {} }, 'user_data'],
  ['about a place and a browser', { user_data: { country: [HASH], ct: [HASH], client_user_agent: 'x' } }, 'user_data'],
  ['about a first name', { user_data: { fn: [HASH] } }, 'user_data'],
  ['with an address in clear', { user_data: { em: ['ada@example.org'] } }, 'em'],
])('T-02 an event %s is refused as Meta would, naming the field', async (_which, wrong, field) => {
  const before = meta.requests.length
  const answer = await post('/4711/events', { data: [event(wrong)] })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { message: `Invalid parameter ${field}`, code: 100 } })
  expect(meta.requests).toHaveLength(before)
})

test('T-03 a planned answer comes as often as asked for, and what it refuses is not kept', async () => {
  const before = meta.requests.length
  expect((await post('/answer', { status: 401, times: 1 })).status).toBe(200)
  expect((await post('/4711/events', { data: [event()] })).status).toBe(401)
  expect(meta.requests).toHaveLength(before)
  expect((await post('/4711/events', { data: [event()] })).status).toBe(200)
})

test('T-02 the program does not run with NODE_ENV=production', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'receiver.ts')], {
    env: { ...process.env, PORT: '0', NODE_ENV: 'production' },
  })
  let words = ''
  child.stderr.on('data', (part: Buffer) => (words += part))
  child.stdout.on('data', () => child.kill())
  const [code] = await once(child, 'exit')
  expect(code).toBe(2)
  expect(words).toContain('META_PIXEL_ID')
})

import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: unknown
}

/** Sends exactly these bytes; in pieces, the body has no length and takes the whole chain. */
function send(path: string, body: string | Buffer, headers: Record<string, string>, pieces: boolean): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const length = pieces ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }
    const sent = request(running.url + path, { method: 'POST', headers: { ...headers, ...length } }, (reply) => {
      const got: Buffer[] = []
      reply.on('data', (piece: Buffer) => got.push(piece))
      reply.on('end', () => {
        // when, which request and how the answer is framed differ from one to the next
        const { date, connection, 'keep-alive': _, ...rest } = reply.headers
        expect([date, connection]).not.toContain(undefined)
        const id = String(rest['x-request-id'])
        expect(id).toMatch(/^[\w-]{8,64}$/)
        const text = Buffer.concat(got).toString().replaceAll(id, 'its id')
        resolve({
          status: reply.statusCode ?? 0,
          headers: { ...rest, 'x-request-id': 'its id', 'content-length': '' },
          body: JSON.parse(text),
        })
      })
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}

async function visitor() {
  const browser = new Browser(running.url)
  const sessionId = await browser.visit()
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { sessionId, cookie }
}

const answers = (value: unknown = 'Yes') =>
  JSON.stringify({ answers: [{ questionId: 'question1', answer: value, answeredAt: '2026-11-20T10:00:00Z' }] })
const json = { 'content-type': 'application/json' }

const CASES: [
  string,
  (
    own: { sessionId: string; cookie: string },
    other: { cookie: string },
  ) => [string, string | Buffer, Record<string, string>],
][] = [
  ['an answer', ({ sessionId, cookie }) => [`/api/sessions/${sessionId}/answers`, answers(), { ...json, cookie }]],
  [
    'an answer among other cookies',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      answers(),
      { ...json, cookie: `a=b; ${cookie}; x${cookie}` },
    ],
  ],
  ['no token', ({ sessionId }) => [`/api/sessions/${sessionId}/answers`, answers(), json]],
  [
    'the token of another visit',
    ({ sessionId }, { cookie }) => [`/api/sessions/${sessionId}/answers`, answers(), { ...json, cookie }],
  ],
  [
    'a token that was changed',
    ({ sessionId, cookie }) => [`/api/sessions/${sessionId}/answers`, answers(), { ...json, cookie: `${cookie}x` }],
  ],
  ['a session nobody knows', ({ cookie }) => [`/api/sessions/${randomUUID()}/answers`, answers(), { ...json, cookie }]],
  [
    'a path that names no session',
    ({ cookie }) => [`/api/sessions/${'-'.repeat(36)}/answers`, answers(), { ...json, cookie }],
  ],
  [
    'an answer that is no text',
    ({ sessionId, cookie }) => [`/api/sessions/${sessionId}/answers`, answers(7), { ...json, cookie }],
  ],
  [
    'half of a JSON text',
    ({ sessionId, cookie }) => [`/api/sessions/${sessionId}/answers`, '{"answers":', { ...json, cookie }],
  ],
  [
    'JSON that is no object',
    ({ sessionId, cookie }) => [`/api/sessions/${sessionId}/answers`, '"answers"', { ...json, cookie }],
  ],
  [
    'a byte order mark',
    ({ sessionId, cookie }) => [`/api/sessions/${sessionId}/answers`, `\ufeff${answers()}`, { ...json, cookie }],
  ],
  [
    'bytes that are no UTF-8',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      Buffer.from(answers('caf\u00e9'), 'latin1'),
      { ...json, cookie },
    ],
  ],
  [
    'another charset',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      answers(),
      { 'content-type': 'application/json; charset=latin1', cookie },
    ],
  ],
  [
    'a form',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      'a=b',
      { 'content-type': 'application/x-www-form-urlencoded', cookie },
    ],
  ],
  [
    'another site',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      answers(),
      { ...json, cookie, 'sec-fetch-site': 'cross-site' },
    ],
  ],
  [
    'too much',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      answers('x'.repeat(110_000)),
      { ...json, cookie },
    ],
  ],
  [
    'a beacon as text',
    ({ sessionId, cookie }) => [
      '/api/track',
      JSON.stringify({ sessionId, events: [] }),
      { 'content-type': 'text/plain;charset=UTF-8', cookie },
    ],
  ],
  [
    'an answer as text',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      answers(),
      { 'content-type': 'text/plain', cookie },
    ],
  ],
  [
    'a beacon with a bad event',
    ({ sessionId, cookie }) => [
      '/api/track',
      JSON.stringify({ sessionId, events: [{ kind: 'page_view' }] }),
      { ...json, cookie },
    ],
  ],
  [
    'a request id of a proxy',
    ({ sessionId, cookie }) => [
      `/api/sessions/${sessionId}/answers`,
      answers(),
      { ...json, cookie, 'x-request-id': 'proxy-0123456789' },
    ],
  ],
]

test.each(CASES)('D-06 D-08 the fast path answers as the chain does: %s', async (_name, make) => {
  const [own, other] = await Promise.all([visitor(), visitor()])
  const [path, body, headers] = make(own, other)
  const fast = await send(path, body, headers, false)
  expect(fast).toEqual(await send(path, body, headers, true))
  expect(fast.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

test('D-06 a body that breaks off stores nothing and stops nobody else', async () => {
  const { sessionId, cookie } = await visitor()
  const path = `/api/sessions/${sessionId}/answers`
  await new Promise((closed) => {
    const sent = request(running.url + path, { method: 'POST', headers: { ...json, cookie, 'content-length': '500' } })
    sent.on('error', closed)
    sent.write(answers().slice(0, 40))
    setTimeout(() => sent.destroy(), 50)
  })
  expect(await send(path, answers(), { ...json, cookie }, false)).toMatchObject({ status: 200, body: { saved: 1 } })
})

/** How the service handles the bodies that browsers, broken networks and strangers send. */
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
  body: { saved?: number; accepted?: number; error?: { code: string; field?: string; requestId: string } }
}

/** Sends exactly these bytes. */
function send(path: string, body: string | Buffer, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const whole = { ...headers, 'content-length': String(bytes.length) }
    const sent = request(running.url + path, { method: 'POST', headers: whole }, (reply) => {
      const got: Buffer[] = []
      reply.on('data', (piece: Buffer) => got.push(piece))
      reply.on('end', () => {
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: JSON.parse(Buffer.concat(got).toString()) as Answer['body'],
        })
      })
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}

interface Visitor {
  sessionId: string
  cookie: string
  answersPath: string
}

async function visitor(): Promise<Visitor> {
  const browser = new Browser(running.url)
  const sessionId = await browser.visit()
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { sessionId, cookie, answersPath: `/api/sessions/${sessionId}/answers` }
}

const answers = (value: unknown = 'Yes') =>
  JSON.stringify({ answers: [{ questionId: 'question1', answer: value, answeredAt: '2026-11-20T10:00:00Z' }] })
const json = { 'content-type': 'application/json' }
const saved = { status: 200, body: { saved: 1 } }
const refused = (status: number, code: string, field?: string) => ({
  status,
  body: { error: { code, ...(field ? { field } : {}) } },
})

interface Case {
  path?: (own: Visitor) => string
  body?: string | Buffer | ((own: Visitor) => string)
  headers?: (own: Visitor, other: Visitor) => Record<string, string>
  expected: object
}

const CASES: Record<string, Case> = {
  'an answer': { expected: saved },
  'an answer among other cookies': {
    headers: ({ cookie }) => ({ ...json, cookie: `a=b; ${cookie}; x${cookie}` }),
    expected: saved,
  },
  'no token': { headers: () => json, expected: refused(401, 'session_token_missing') },
  'the token of another visit': {
    headers: (_own, { cookie }) => ({ ...json, cookie }),
    expected: refused(403, 'session_forbidden'),
  },
  'a token that was changed': {
    headers: ({ cookie }) => ({ ...json, cookie: `${cookie}x` }),
    expected: refused(403, 'session_forbidden'),
  },
  'an unknown session': {
    path: () => `/api/sessions/${randomUUID()}/answers`,
    expected: refused(404, 'session_unknown', 'sessionId'),
  },
  'a path that names no session': {
    path: () => `/api/sessions/${'-'.repeat(36)}/answers`,
    expected: refused(404, 'session_unknown', 'sessionId'),
  },
  'an answer that is no text': { body: answers(7), expected: refused(422, 'invalid_body', 'answers.0.answer') },
  'half of a JSON text': { body: '{"answers":', expected: refused(400, 'malformed_json') },
  'JSON that is no object': { body: '"answers"', expected: refused(400, 'malformed_json') },
  'a byte order mark': { body: `\ufeff${answers()}`, expected: saved },
  'bytes that are no UTF-8': { body: Buffer.from(answers('caf\u00e9'), 'latin1'), expected: saved },
  'another charset': {
    headers: ({ cookie }) => ({ 'content-type': 'application/json; charset=latin1', cookie }),
    expected: refused(400, 'malformed_json'),
  },
  'a form': {
    body: 'a=b',
    headers: ({ cookie }) => ({ 'content-type': 'application/x-www-form-urlencoded', cookie }),
    expected: refused(415, 'unsupported_media_type'),
  },
  'another site': {
    headers: ({ cookie }) => ({ ...json, cookie, 'sec-fetch-site': 'cross-site' }),
    expected: refused(403, 'session_forbidden'),
  },
  'too much': { body: answers('x'.repeat(110_000)), expected: refused(413, 'body_too_large') },
  'an answer as text': {
    headers: ({ cookie }) => ({ 'content-type': 'text/plain', cookie }),
    expected: refused(415, 'unsupported_media_type'),
  },
  'a beacon as text': {
    path: () => '/api/track',
    body: ({ sessionId }) => JSON.stringify({ sessionId, events: [] }),
    headers: ({ cookie }) => ({ 'content-type': 'text/plain;charset=UTF-8', cookie }),
    expected: { status: 200, body: { accepted: 0 } },
  },
  'a beacon with a bad event': {
    path: () => '/api/track',
    body: ({ sessionId }) => JSON.stringify({ sessionId, events: [{ kind: 'page_view' }] }),
    expected: refused(422, 'invalid_body', 'events.0.id'),
  },
}

test.each(Object.entries(CASES))('D-06 D-08 N-02 a body of a visit is stored or refused: %s', async (_name, one) => {
  const [own, other] = await Promise.all([visitor(), visitor()])
  const headers = one.headers?.(own, other) ?? { ...json, cookie: own.cookie }
  const body = typeof one.body === 'function' ? one.body(own) : (one.body ?? answers())
  const reply = await send(one.path?.(own) ?? own.answersPath, body, headers)
  expect(reply).toMatchObject(one.expected)
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  expect(reply.headers['x-request-id']).toMatch(/^[\w-]{8,64}$/)
})

test("N-02 the request id of a proxy is kept, in the header and in an error's body", async () => {
  const { answersPath, cookie } = await visitor()
  const headers = { ...json, cookie, 'x-request-id': 'proxy-0123456789' }
  expect((await send(answersPath, answers(), headers)).headers['x-request-id']).toBe('proxy-0123456789')
  expect((await send(answersPath, '{', headers)).body.error?.requestId).toBe('proxy-0123456789')
})

test('D-06 a body that breaks off stores nothing and stops no other request', async () => {
  const { answersPath, cookie } = await visitor()
  await new Promise((closed) => {
    const headers = { ...json, cookie, 'content-length': '500' }
    const sent = request(running.url + answersPath, { method: 'POST', headers })
    sent.on('error', closed)
    sent.write(answers().slice(0, 40))
    setTimeout(() => sent.destroy(), 50)
  })
  expect(await send(answersPath, answers(), { ...json, cookie })).toMatchObject(saved)
})

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createErrorReporter, parseDsn } from './error-reports.ts'
import { createLog } from './logging.ts'

interface Received {
  url: string | undefined
  headers: IncomingHttpHeaders
  /** The three lines of an envelope. */
  lines: any[] // eslint-disable-line @typescript-eslint/no-explicit-any -- what arrives
}
const received: Received[] = []
let hangs = false
const server = createServer((req, res) => {
  let text = ''
  req.on('data', (part: Buffer) => (text += part.toString()))
  req.on('end', () => {
    received.push({ url: req.url, headers: req.headers, lines: text.split('\n').map((line) => JSON.parse(line)) })
    if (!hangs) res.end('{}')
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const dsn = `http://abcdef0123456789@127.0.0.1:${(server.address() as AddressInfo).port}/42`
beforeEach(() => {
  received.length = 0
  hangs = false
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const start = () => createLog('info', { write: () => undefined }, createErrorReporter(parseDsn(dsn)!, 'production'))
const failure = (message: string) => new Error(message, { cause: new TypeError('inner') })

test('N-02 an error of the log arrives with its causes and frames, without addresses, ids and secrets', async () => {
  const words = 'request failed'
  const secrets = ['bea@example.com', '0b0f7f3e-6b6f-4c3b-9d3c-0e6f5f6f7a8b', 'sk_live_abcdefgh12345678']
  const log = start().child({ requestId: 'r1' })
  log.error({ err: failure(`no mail for ${secrets.join(' and ')}`), code: 'internal', body: secrets }, words)
  log.error({ alert: 'late' }, 'a line without an error')
  log.warn({ err: failure('a warning') }, 'a warning')
  await vi.waitFor(() => expect(received).toHaveLength(1))
  const [{ url, headers, lines } = {} as Received] = received
  expect(url).toBe('/api/42/envelope/')
  expect(headers['x-sentry-auth']).toContain('sentry_key=abcdef0123456789')
  const [head, item, event] = lines
  expect([head.event_id, item]).toEqual([event.event_id, { type: 'event' }])
  expect(event).toMatchObject({ level: 'error', platform: 'node', environment: 'production', transaction: words })
  expect(event.tags).toEqual({ code: 'internal', requestId: 'r1' })
  expect(event.exception.values.map(({ type }: { type: string }) => type)).toEqual(['TypeError', 'Error'])
  const frame = event.exception.values[1].stacktrace.frames.at(-1)
  expect(frame).toMatchObject({ filename: expect.stringContaining('error-reports.test.ts') as string, in_app: true })
  for (const secret of secrets) expect(JSON.stringify(event)).not.toContain(secret)
})

test('N-03 the same error is told once a minute, and more than ten at a time are not', async () => {
  const log = start()
  for (let n = 0; n < 50; n++) log.error({ err: failure('again') }, 'a round failed')
  await vi.waitFor(() => expect(received).toHaveLength(1))
  hangs = true
  const began = performance.now()
  for (let n = 0; n < 50; n++) log.error({ err: failure(`error ${n}`) }, 'a round failed')
  // the receiver does not answer, and the service has not waited
  expect(performance.now() - began).toBeLessThan(5_000)
  await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(10))
  await new Promise((resume) => setTimeout(resume, 300))
  // the first one may have been under way still
  expect(received.length).toBeLessThanOrEqual(11)
})

test('N-03 an address that is not there changes nothing, and what is no DSN is known', async () => {
  const away = parseDsn('http://abcdef0123456789@127.0.0.1:1/42')!
  const log = createLog('info', { write: () => undefined }, createErrorReporter(away, 'production'))
  log.error({ err: failure('nobody there') }, 'a round failed')
  await new Promise((resume) => setTimeout(resume, 300))
  expect(parseDsn('https://abcdef0123456789@o1.ingest.example/base/7')).toEqual({
    url: 'https://o1.ingest.example/base/api/7/envelope/',
    key: 'abcdef0123456789',
  })
  for (const wrong of [
    '',
    'no address',
    'https://host/1',
    'https://abcdef0123456789@host/',
    'ftp://abcdef0123456789@h/1',
  ])
    expect(parseDsn(wrong), wrong).toBeUndefined()
})

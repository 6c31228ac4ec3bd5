import { connect as connectSocket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())
const browser = () => new Browser(running.url)

describe('bad input', () => {
  test('D-01 malformed, oversized and untyped bodies get stable codes and write nothing', async () => {
    const visitor = browser()
    const count = () =>
      running.db
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    const before = await count()
    const send = async (body: string, headers?: Record<string, string>) => {
      const reply = await visitor.post('/api/sessions', body, headers)
      return [reply.status, reply.body.error?.code, reply.body.error?.field]
    }
    expect(await send('{"clientKey": ')).toEqual([400, 'malformed_json', undefined])
    expect(await send('"text"')).toEqual([400, 'malformed_json', undefined])
    expect(await send(JSON.stringify({ clientKey: 'x'.repeat(110 * 1024) }))).toEqual([
      413,
      'body_too_large',
      undefined,
    ])
    expect(await send('clientKey=1', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
      415,
      'unsupported_media_type',
      undefined,
    ])
    expect(await send('{}', { 'content-type': 'text/plain' })).toEqual([415, 'unsupported_media_type', undefined])
    expect(await send('{}', { 'content-encoding': 'compress' })).toEqual([415, 'unsupported_media_type', undefined])
    expect(await send('{"clientKey":"short"}')).toEqual([422, 'invalid_body', 'clientKey'])
    expect(await send('[]')).toEqual([422, 'invalid_body', 'body'])
    expect(await count()).toEqual(before)
  })

  test('N-02 a page of another site cannot act with the cookie', async () => {
    const reply = await browser().post(
      '/api/sessions',
      { clientKey: crypto.randomUUID() },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'session_forbidden' } } })
  })

  test('unknown paths and methods are told apart', async () => {
    expect(await browser().get('/api/nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', requestId: expect.any(String) } },
    })
    const reply = await browser().put('/api/sessions', {})
    expect(reply).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed' } } })
    expect(reply.headers.get('allow')).toBe('POST')
    expect((await browser().get('/api/sessions/%E0%A4%A/answers')).status).toBe(404)
  })

  test('a body that never ends its line does not hold the service up', async () => {
    const socket = connectSocket(Number(new URL(running.url).port), '127.0.0.1')
    socket.write(
      'POST /api/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a"',
    )
    try {
      expect((await browser().get('/healthz')).status).toBe(200)
      expect((await browser().get('/readyz')).status).toBe(200)
      const reply = await browser().post('/api/sessions', { clientKey: crypto.randomUUID() })
      expect(reply).toMatchObject({ status: 200, body: { created: true } })
      expect(socket.destroyed).toBe(false)
    } finally {
      socket.destroy()
    }
  })
})

describe('what every answer carries', () => {
  test('N-01 N-02 security headers, a request id, and nothing kept in caches', async () => {
    const reply = await browser().get('/api/config', { 'x-request-id': 'from-the-proxy-1' })
    expect(reply.headers.get('x-request-id')).toBe('from-the-proxy-1')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('x-powered-by')).toBeNull()
    expect(JSON.stringify(reply.body)).not.toMatch(/sk_|whsec_/)
  })

  test('health: alive, ready, and not ready without its migrations', async () => {
    expect((await browser().get('/healthz')).body).toEqual({ alive: true })
    expect((await browser().get('/readyz')).body).toEqual({
      ready: true,
      reasons: [],
      pendingMigrations: [],
      loops: {},
    })
    const { rows } = await sql<{ name: string; timestamp: string }>`
      delete from kysely_migration where name = (select max(name) from kysely_migration)
      returning name, timestamp`.execute(running.db)
    const [gone] = rows
    try {
      const lacking = await browser().get('/readyz')
      expect([lacking.status, lacking.body.pendingMigrations]).toEqual([503, [gone?.name]])
    } finally {
      await sql`insert into kysely_migration values (${gone?.name}, ${gone?.timestamp})`.execute(running.db)
    }
    expect((await browser().get('/readyz')).status).toBe(200)
  })

  test('the API describes itself: every endpoint of the service, and a page to read', async () => {
    const { body } = await browser().get('/api/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(
      body.paths['/api/sessions'].post.requestBody.content['application/json'].schema.properties.clientKey,
    ).toBeDefined()
    const page = await browser().get('/api/docs')
    expect(page.body).toContain('/api/sessions/{sessionId}/answers')
  })
})

describe('limits', () => {
  test('too many visits from one address are refused with the time to wait', async () => {
    const strict = await startService({
      env: { EMBEDDED: '0', TRUST_PROXY: 'false', STRIPE_API_BASE: undefined, SITE_URL: 'https://example.com' },
    })
    try {
      const visitor = new Browser(strict.url)
      const replies = []
      for (let i = 0; i < 241; i++)
        replies.push(
          await visitor.post(
            '/api/sessions',
            { clientKey: crypto.randomUUID() },
            { 'x-forwarded-for': `10.0.${i % 4}.${i}` },
          ),
        )
      expect(replies.slice(0, 240).every(({ status }) => status === 200)).toBe(true)
      expect(replies[240]).toMatchObject({ status: 429, body: { error: { code: 'too_many_requests' } } })
      expect(Number(replies[240]?.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await strict.stop()
    }
  })

  test('what touches money is counted for all replicas together', async () => {
    const env = { EMBEDDED: '0', TRUST_PROXY: 'false', STRIPE_API_BASE: undefined, SITE_URL: 'https://example.com' }
    const one = await startService({ env })
    const two = await startService({ env, databaseUrl: one.databaseUrl })
    try {
      const visitor = new Browser(one.url)
      const sessionId = await visitor.visit()
      const finalize = (base: string) => {
        const at = new Browser(base)
        for (const [name, value] of visitor.cookies) at.cookies.set(name, value)
        return at.post(`/api/sessions/${sessionId}/payments/finalize`, { paymentIntentId: 'pi_none' })
      }
      const statuses: number[] = []
      for (let i = 0; i < 122; i++) statuses.push((await finalize(i % 2 ? one.url : two.url)).status)
      expect(statuses.slice(0, 120).every((status) => status === 404)).toBe(true)
      expect(statuses.slice(120)).toEqual([429, 429])
    } finally {
      await two.stop()
      await one.stop()
    }
  })
})

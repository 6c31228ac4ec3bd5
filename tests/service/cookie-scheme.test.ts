/**
 * WebKit keeps no Secure cookie over plain http, not even at localhost, and no browser does on an address of the
 * local network: on a machine of development the visit's cookie has the form that the request's scheme allows.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../payments-service/config.ts'
import { Browser, environment, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

const cookieOf = async (service: RunningService, headers: Record<string, string> = {}): Promise<string> => {
  const reply = await new Browser(service.url).post('/api/sessions', { clientKey: crypto.randomUUID() }, headers)
  expect(reply.status).toBe(200)
  return reply.headers.getSetCookie()[0] ?? ''
}
/** The host and scheme as a trusted proxy on this machine passes them on. */
const asked = (url: string): Record<string, string> => {
  const { host, protocol } = new URL(url)
  return { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.replace(':', '') }
}

describe('embedded', () => {
  for (const url of ['http://localhost:4321', 'http://127.0.0.1:4321', 'http://192.168.1.20:4321']) {
    test(`D-01 N-02 at ${url} the cookie is one that every browser keeps over http`, async () => {
      const cookie = await cookieOf(running, asked(url))
      expect(cookie).toMatch(/^funnel\.[0-9a-f]{16}=[\w-]{43}; /)
      expect(cookie).not.toMatch(/; Secure/i)
      for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(part)
    })
  }

  test('D-01 N-02 over https the cookie is Secure and bound to its host', async () => {
    const cookie = await cookieOf(running, asked('https://localhost:4321'))
    expect(cookie).toMatch(/^__Host-funnel\.[0-9a-f]{16}=[\w-]{43}; /)
    expect(cookie).toMatch(/; Secure/)
  })

  test('D-01 a browser that holds both forms is opened by the one that this scheme writes', async () => {
    const visitor = new Browser(running.url)
    const sessionId = await visitor.visit()
    const [name = ''] = visitor.cookies.keys()
    visitor.cookies.set(`__Host-${name}`, 'a-token-that-opens-nothing')
    expect((await visitor.get(`/api/sessions/${sessionId}`)).status).toBe(200)
    expect((await visitor.get(`/api/sessions/${sessionId}`, { 'x-forwarded-proto': 'https' })).status).toBe(403)
  })
})

describe('outside embedded mode', () => {
  const real = { EMBEDDED: '0', STRIPE_API_BASE: undefined, SITE_URL: 'https://example.com' }

  for (const [TRUST_PROXY, scheme] of [
    ['1', 'https'],
    ['1', 'http'],
    ['false', 'http'],
  ] as const) {
    test(`D-01 N-02 the cookie is Secure whatever the proxy says (TRUST_PROXY=${TRUST_PROXY}, ${scheme})`, async () => {
      const service = await startService({ env: { ...real, TRUST_PROXY } })
      try {
        const cookie = await cookieOf(service, { 'x-forwarded-proto': scheme })
        expect(cookie).toMatch(/^__Host-funnel\.[0-9a-f]{16}=[\w-]{43}; /)
        expect(cookie).toMatch(/; Secure/)
      } finally {
        await service.stop()
      }
    })
  }

  test('D-01 N-02 a cookie without the prefix opens nothing', async () => {
    const service = await startService({ env: { ...real, TRUST_PROXY: 'false' } })
    try {
      const visitor = new Browser(service.url)
      const sessionId = await visitor.visit()
      const [[name, token] = ['', '']] = visitor.cookies
      visitor.cookies.clear()
      visitor.cookies.set(name.replace('__Host-', ''), token)
      expect((await visitor.get(`/api/sessions/${sessionId}`)).status).toBe(401)
    } finally {
      await service.stop()
    }
  })

  test('D-01 N-02 production refuses the mode in which cookies may go without Secure, and a site over http', () => {
    expect(() => readConfig(environment({ NODE_ENV: 'production' }))).toThrow(/NODE_ENV=production/)
    expect(() => readConfig(environment({ ...real, SITE_URL: 'http://example.com' }))).toThrow(/https/)
  })
})

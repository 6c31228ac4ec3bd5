/**
 * No request crashes a program: every HTTP edge of the product gets addresses and headers that no browser would send.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, parsed, raw, startListening } from '../support/programs.ts'
import { type RunningService, startService } from './service.ts'

let service: RunningService
let listening: Listening
beforeAll(async () => {
  service = await startService()
  listening = await startListening(Number(new URL(service.url).port))
})
afterAll(async () => {
  await listening?.stop()
  await service?.stop()
})

const parts = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%c0%af',
  '%2f',
  '%5c',
  '\\',
  ':',
  '@',
  '{}',
  '%0d%0a',
]
const areas = [
  '/',
  '/legal/',
  '/checkout/',
  '/api/',
  '/_stripe/',
  '/_sandbox/',
  '/v1/',
  '/v2026-11-01/data/query/',
  '/images/local0001/',
  '/messages/',
  '/api/messages/',
  '/_drafts/',
  '/_image?href=',
  '/upsell/',
  '/operator/',
  '/_astro/',
]
const long = [
  'a'.repeat(255),
  'a'.repeat(256),
  'a'.repeat(5_000),
  'a/'.repeat(300),
  '../'.repeat(300),
  '%61'.repeat(300),
]
const whole = [
  '//',
  '///',
  '//evil.example/x',
  '//evil.example:99999999/',
  '*',
  '?',
  '/?%',
  '/?a=%00&b=%zz',
  'http://evil.example/',
  'http://[',
  'http://%',
  'a',
  '/_stripe/../_sandbox/totals',
  '/a.js/',
  '/a.js/index.html',
]
const addresses = [
  ...whole,
  ...areas.flatMap((area) => [...parts, ...long].map((part) => area + part)),
  ...parts.flatMap((one) => parts.map((two) => `/${one}/${two}`)),
]
const headers = [
  'Range: bytes=10-5',
  'Range: bytes=-',
  'Range: bytes=99999999999999999999-',
  'Range: bytes=0-0,5-2',
  'Range: x',
  'If-None-Match: \u00ff',
  'X-Forwarded-Host: [',
  'X-Forwarded-Proto: %',
  'Origin: http://[',
  'Cookie: a=%; __Host-drafts=1.00',
  'Referer: http://[',
  'Upgrade: x\r\nConnection: Upgrade',
  'Accept-Encoding: br;q=x',
]

const names = ['site', 'stripe', 'mailbox', 'meta', 'lake', 'studio', 'preview', 'publisher']

describe.each(names)('%s', (name) => {
  test(`${name}: no address and no header ends it, and none is a fault of ours`, { timeout: 120_000 }, async () => {
    const { running, port } = listening.programs.get(name)!
    const ask = async (method: string, address: string, header = 'Accept: */*') => {
      const head = [`${method} ${address} HTTP/1.1`, `Host: localhost:${port}`, header, 'Connection: close']
      const { status } = parsed(await raw(port, `${head.join('\r\n')}\r\n\r\n`))
      const shown = `${name}: ${method} ${address.slice(0, 60)} ${header}`
      expect(running.child.exitCode, `${shown} ended it:\n${running.tail()}`).toBeNull()
      // a stream of events ends when the test stops waiting; 502 and 503 mean that a program behind is down
      if (status >= 500) expect([502, 503], shown).toContain(status)
    }
    for (const address of addresses) await ask('GET', address)
    for (const address of [...whole, '/%00', '/%', `/${long[1]}`]) {
      for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) await ask(method, address)
    }
    const pages = ['/', '/a.js', '/checkout/x', '/_stripe/stripe.js', '/healthz', '/api/config']
    for (const header of headers) for (const page of pages) await ask('GET', page, header)
    for (const noise of ['GET / HTTP/9\r\n\r\n', '\0\0\0\r\n\r\n', 'GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n']) {
      await raw(port, noise)
    }
    expect(running.child.exitCode, running.tail()).toBeNull()
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBeLessThan(500)
  })
})

/** What a caller's headers say about it counts only when a trusted proxy set them. */
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from '../../payments-service/http/logging.ts'
import { Browser, startService } from './service.ts'

async function withService(trustProxy: string, use: (browser: Browser, lines: () => string) => Promise<void>) {
  let text = ''
  const write = (line: Buffer, _: string, done: () => void) => ((text += line.toString()), done())
  const service = await startService({
    env: { TRUST_PROXY: trustProxy },
    log: createLog('info', new Writable({ write })),
  })
  try {
    await use(new Browser(service.url), () => text)
  } finally {
    await service.stop()
  }
}

test("V4.1.3 a visitor's X-Request-Id names no request; that of a trusted proxy does", async () => {
  const asked = { 'x-request-id': 'chosen-by-the-caller' }
  await withService('false', async (browser, lines) => {
    const { headers } = await browser.get('/api/config', asked)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(lines()).not.toContain('chosen-by-the-caller')
  })
  await withService('10.0.0.0/8', async (browser) => {
    expect((await browser.get('/api/config', asked)).headers.get('x-request-id')).not.toBe(asked['x-request-id'])
  })
  await withService('1', async (browser, lines) => {
    expect((await browser.get('/api/config', asked)).headers.get('x-request-id')).toBe(asked['x-request-id'])
    expect(lines()).toContain('chosen-by-the-caller')
  })
})

test('N-01 a proxy in front that no setting names is said once, without an address', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.77' }
  await withService('false', async (browser, lines) => {
    await browser.get('/api/config')
    expect(lines()).not.toContain('TRUST_PROXY')
    for (let at = 0; at < 3; at++) await browser.get('/api/config', forwarded)
    expect(lines().match(/TRUST_PROXY/g)).toHaveLength(1)
    expect(lines()).not.toContain('203.0.113.77')
  })
  await withService('1', async (browser, lines) => {
    await browser.get('/api/config', forwarded)
    expect(lines()).not.toContain('TRUST_PROXY')
  })
})

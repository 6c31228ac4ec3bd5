/** What the front door does not pass on: probes of the service, and what a TRACE would echo. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { parsed, raw } from '../support/programs.ts'
import { type RunningService, startService } from './service.ts'

const dist = mkdtempSync(join(tmpdir(), 'edges-'))
let service: RunningService
let door: Server
let ports: { door: number; service: number }
beforeAll(async () => {
  for (const page of ['', 'checkout', 'legal/404']) {
    mkdirSync(join(dist, page), { recursive: true })
    writeFileSync(join(dist, page, 'index.html'), 'a page')
  }
  writeFileSync(join(dist, '404.html'), 'lost')
  service = await startService()
  door = createFrontDoor({ apiUrl: service.url, dist })
  await new Promise<void>((done) => void door.listen(0, '127.0.0.1', done))
  ports = { door: (door.address() as AddressInfo).port, service: Number(new URL(service.url).port) }
})
afterAll(async () => {
  door.close()
  await service.stop()
  rmSync(dist, { recursive: true })
})

const ask = async (port: number, line: string, header = 'Accept: */*') =>
  parsed(await raw(port, `${line} HTTP/1.1\r\nHost: localhost\r\n${header}\r\nConnection: close\r\n\r\n`))

test('V13.4.4 TRACE is an error at the front door and at the service, and nothing of it is repeated', async () => {
  for (const port of [ports.door, ports.service]) {
    for (const path of ['/', '/checkout/x', '/api/config', '/api/nothing', '/operator', '/healthz']) {
      const { status, body, headers } = await ask(port, `TRACE ${path}`, 'X-Secret: repeated-word')
      expect(status, path).toBeGreaterThanOrEqual(400)
      expect(status, path).toBeLessThan(500)
      expect(body + JSON.stringify(headers), path).not.toContain('repeated-word')
    }
  }
})

test('V13.4.5 the probes of the service answer behind the front door and not through it', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect((await ask(ports.service, `GET ${path}`)).status, path).toBe(200)
    for (const spelled of [path, `${path}/`, `/api/..${path}`, `//${path}`, path.replace('z', '%7a')]) {
      const { status, body } = await ask(ports.door, `GET ${spelled}`)
      expect([spelled, status, body]).toEqual([spelled, 404, expect.stringContaining('lost')])
    }
  }
})

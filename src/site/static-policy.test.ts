import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nginxFile } from './host-files.ts'
import { createFrontDoor } from './local-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'eye-static-'))
const door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: folder })
beforeAll(async () => {
  mkdirSync(join(folder, '_astro'))
  for (const name of ['index.html', '404.html']) writeFileSync(join(folder, name), '<!doctype html>')
  for (const name of ['eye.svg', '_astro/main.abc.js', 'sound.mp3']) writeFileSync(join(folder, name), 'x')
  await new Promise<void>((done) => void door.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  door.close()
  rmSync(folder, { recursive: true, force: true })
})

test('V3.4.6 no file of the site may be framed: pictures, scripts and sounds neither', async () => {
  const { port } = door.address() as AddressInfo
  for (const path of ['/eye.svg', '/_astro/main.abc.js', '/sound.mp3']) {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    expect([path, status]).toEqual([path, 200])
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
  }
})

test('V3.4.6 V4.1.3 every location of nginx.conf that answers has a policy, and requests get an id of nginx', () => {
  const text = nginxFile(
    { '': { scripts: [], styles: [] } },
    { root: '/site', servers: ['127.0.0.1:1'], logs: '/logs' },
  )
  const locations = text.split(/\n {2}location /).slice(1)
  for (const one of locations.filter((location) => location.includes('try_files'))) {
    expect(one).toContain('frame-ancestors')
    expect(one.match(/add_header Content-Security-Policy/g)).toHaveLength(1)
  }
  const passed = locations.filter((location) => location.includes('proxy_pass'))
  expect(passed.length).toBeGreaterThan(0)
  for (const one of passed) expect(one).toContain('proxy_set_header X-Request-Id $request_id;')
})

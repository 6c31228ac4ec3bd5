/** The built site behind a real nginx with the build's nginx.conf: a host serves the same as the local server. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyPort } from '../../db/ports.ts'
import { hsts } from '../../src/site/host-files.ts'
import { pages, redirects } from '../../contract/site-routes.ts'
import { builtFolder } from './built.ts'
import { findNginx, startNginx } from '../support/nginx.ts'
import type { Started } from '../support/started.ts'

const folder = builtFolder()
const nginx = findNginx()
if (!nginx) console.info('nginx is not installed here: its configuration is not tried out')

const id = '0b0f7f3e-6b6f-4c3b-9d3c-0e6f5f6f7a8b'

describe.skipIf(!nginx || !folder)('the site behind nginx', () => {
  const place = mkdtempSync(join(tmpdir(), 'eye-nginx-'))
  const paths: string[] = []
  let service: Server
  let server: Started | undefined
  let base = ''

  beforeAll(async () => {
    service = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.writeHead(request.url === '/api/broken' ? 500 : 200, { 'x-request-id': 'r1' }).end('service')
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const block = readFileSync(join(folder!, 'nginx.conf'), 'utf8')
      .replace('root /usr/share/nginx/html;', `root ${folder};`)
      .replace('payments-service:4242', `127.0.0.1:${(service.address() as AddressInfo).port}`)
      .replaceAll('/var/log/nginx', place)
    server = await startNginx(block, { place, port: await anyPort() })
    base = server.url
  })

  afterAll(async () => {
    await server?.stop()
    service?.close()
    rmSync(place, { recursive: true, force: true })
  })

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { headers, redirect: 'manual' })

  test('G-01 V-03 every route of the table is its page, with its policy', async () => {
    for (const route of pages) {
      const path = route.path.replace('/*', '/here').replace(/:page/, 'not-there').replace(/:\w+/g, id)
      const answer = await get(path)
      expect(answer.status, path).toBe(route.status ?? 200)
      expect(answer.headers.get('content-type'), path).toMatch(/^text\/html/)
      expect(answer.headers.get('content-security-policy'), path).toContain("default-src 'none'")
      expect(answer.headers.get('strict-transport-security'), path).toBe(hsts)
      const shell = join(folder!, route.shell, 'index.html')
      const file = existsSync(shell) ? shell : join(folder!, `${route.shell}.html`)
      expect(await answer.text(), path).toBe(readFileSync(file, 'utf8'))
    }
  })

  test('G-01 V-03 legal pages, articles and files of the build, with and without a slash', async () => {
    for (const path of ['/women-over60', '/women-over60/', '/legal/privacy', '/legal/terms-and-conditions/']) {
      const answer = await get(path)
      expect(answer.status, path).toBe(200)
      expect(answer.headers.get('content-security-policy'), path).toMatch(/script-src 'self' 'sha256-/)
      expect(answer.headers.get('cache-control'), path).toBe('public, max-age=0, must-revalidate')
    }
    const script = readdirSync(join(folder!, '_astro')).find((name) => name.endsWith('.js')) ?? ''
    const answer = await get(`/_astro/${script}`)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-type')).toMatch(/javascript/)
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('public, max-age=86400')
    for (const path of ['/manifest.webmanifest', '/app.webmanifest']) {
      const manifest = await get(path)
      expect([manifest.status, manifest.headers.get('content-type')], path).toEqual([200, 'application/manifest+json'])
    }
  })

  test('every kind of text names its charset, compressed or not', async () => {
    const script = readdirSync(join(folder!, '_astro')).find((name) => name.endsWith('.js')) ?? ''
    const style = readdirSync(join(folder!, '_astro')).find((name) => name.endsWith('.css')) ?? ''
    const texts = ['/', '/robots.txt', '/favicon.svg', '/.well-known/security.txt', '/.well-known/security-policy.txt']
    for (const path of [...texts, `/_astro/${script}`, `/_astro/${style}`, '/no-such-page']) {
      for (const encoding of ['gzip', 'identity']) {
        const type = (await get(path, { 'accept-encoding': encoding })).headers.get('content-type')
        expect(type, path).toMatch(/; ?charset=utf-8$/)
      }
    }
    expect((await get('/.well-known/security.txt')).headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test('texts come as the build compressed them', async () => {
    for (const path of ['/', '/women-over60', `/checkout/${id}`]) {
      const zipped = await get(path, { 'accept-encoding': 'gzip' })
      expect(zipped.headers.get('content-encoding'), path).toBe('gzip')
      expect(zipped.headers.get('vary') ?? '', path).toMatch(/accept-encoding/i)
      const plain = await get(path, { 'accept-encoding': 'identity' })
      expect(plain.headers.get('content-encoding'), path).toBeNull()
      expect(await plain.text()).toBe(await zipped.text())
    }
  })

  test('redirects keep names and query', async () => {
    for (const { path, to, status } of redirects) {
      const answer = await get(`${path.replace(':sessionId', id)}?utm_source=a&x=1`)
      expect(answer.status, path).toBe(status)
      const location = new URL(answer.headers.get('location') ?? '', base)
      expect(location.origin, path).toBe(base)
      expect(location.pathname + location.search, path).toBe(`${to.replace(':sessionId', id)}?utm_source=a&x=1`)
    }
  })

  test('U-01 A-04 no address puts a header into an answer, and an id that is none leads nowhere', async () => {
    const injected = '%0d%0aSet-Cookie:%20injected=1%0d%0aClear-Site-Data:%20%22cookies%22%0d%0aX-Injected:%20yes'
    for (const path of [...redirects.map(({ path }) => path.replace(/:\w+/, 'x')), '/app', '/quiz', '/legal/privacy']) {
      for (const end of [injected, `/${injected}`, '%0d%0a', '%0aX-Injected:%20yes', `?a=${injected}`]) {
        const answer = await get(path + end)
        for (const name of ['x-injected', 'set-cookie', 'clear-site-data']) {
          expect(answer.headers.get(name), `${name} by ${path}${end}`).toBeNull()
        }
      }
    }
    for (const end of ['a%20b', 'a%0ab', '%3Cscript%3E', '..%2f..', 'x'.repeat(65)]) {
      for (const path of ['/upsell/', '/welcome/'])
        expect([400, 404], path + end).toContain((await get(path + end)).status)
    }
  })

  test('N-01 a page asked for by the name of its file is not there, and every error has its policy', async () => {
    const files = ['index.html', 'checkout/index.html', 'legal/404/index.html', '404.html', '500.html', 'csp.json']
    const hidden = files.flatMap((file) => [`/${file}`, `/%${file.charCodeAt(0).toString(16)}${file.slice(1)}`])
    for (const path of [...hidden, '/index.html.br', '/%69ndex%2ehtml', '/nothing%00here', `/${'a'.repeat(300)}`]) {
      const answer = await get(path)
      expect([400, 404], path).toContain(answer.status)
      // nginx rejects malformed addresses itself, with its own page
      if (answer.status === 404) {
        expect(answer.headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
      }
    }
  })

  test('nothing is at hand that is for hosts, and what is missing says so', async () => {
    for (const path of ['/nginx.conf', '/_headers', '/_redirects', '/csp.json', '/no-such-page', '/_astro/none.js']) {
      const answer = await get(path)
      expect(answer.status, path).toBe(404)
      expect(await answer.text(), path).toBe(readFileSync(join(folder!, '404.html'), 'utf8'))
      expect(answer.headers.get('content-security-policy'), path).toContain("default-src 'none'")
    }
  })

  test('the service gets its addresses as they are, and its answers pass through', async () => {
    paths.length = 0
    expect(await (await get('/api/sessions/a%20b?x=1')).text()).toBe('service')
    expect((await get('/operator')).status).toBe(200)
    expect(paths).toEqual(['/api/sessions/a%20b?x=1', '/operator'])
    const broken = await get('/api/broken')
    expect([broken.status, await broken.text(), broken.headers.get('x-request-id')]).toEqual([500, 'service', 'r1'])
  })
})

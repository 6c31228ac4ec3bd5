import { mkdirSync, mkdtempSync, rmSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFrontDoor } from './local-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'front-door-'))
const link = join(folder, 'site')
let api: Server
let door: Server
let url: string

function build(name: string, text: string): string {
  const dist = join(folder, name)
  const page = (path: string, body: string) => {
    mkdirSync(join(dist, path), { recursive: true })
    writeFileSync(join(dist, path, 'index.html'), body)
  }
  page('', `home ${text}`)
  page('checkout', `checkout ${text}`)
  page('app', 'app')
  page('legal/404', 'The requested legal page could not be found.')
  page('legal/contact-us', 'contact')
  writeFileSync(join(dist, '404.html'), 'lost')
  mkdirSync(join(dist, '_astro'))
  writeFileSync(join(dist, '_astro', 'a.123.js'), 'script')
  writeFileSync(join(dist, '_astro', 'a.123.js.br'), brotliCompressSync('script'))
  writeFileSync(join(dist, 'csp.json'), JSON.stringify({ checkout: { scripts: ["'sha256-x'"], styles: [] } }))
  return dist
}

const listen = (server: Server) =>
  new Promise<string>((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

beforeAll(async () => {
  symlinkSync(build('one', '1'), link)
  api = createServer((incoming, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ url: incoming.url, forwarded: incoming.headers['x-forwarded-for'] }))
  })
  door = createFrontDoor({ apiUrl: await listen(api), dist: link })
  url = await listen(door)
})
afterAll(() => {
  for (const server of [api, door]) {
    server.close()
    server.closeAllConnections()
  }
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { redirect: 'manual', headers })

test('C-02 an address with an id is answered by its shell, with the headers of its class', async () => {
  const answer = await get('/checkout/abc?payment_success=true')
  expect([answer.status, await answer.text()]).toEqual([200, 'checkout 1'])
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  expect(answer.headers.get('content-security-policy')).toContain("'sha256-x' https://js.stripe.com")
  expect(answer.headers.get('cache-control')).toBe('no-cache')
})

test('G-01 unknown addresses are 404, legal ones with their own words', async () => {
  const lost = await get('/nothing/here')
  expect([lost.status, await lost.text()]).toEqual([404, 'lost'])
  const legal = await get('/legal/nothing')
  expect([legal.status, await legal.text()]).toEqual([404, 'The requested legal page could not be found.'])
  expect((await get('/legal/404')).status).toBe(404)
  const contact = await get('/legal/contact-us')
  expect([contact.status, await contact.text()]).toEqual([200, 'contact'])
})

test('files for hosts are not for visitors, and no path leaves the folder', async () => {
  for (const path of ['/csp.json', '/_headers', '/_astro/a.123.js.br', '/404', '/..%2f..%2fetc%2fpasswd']) {
    expect((await get(path)).status, path).toBe(404)
  }
  const raw = await new Promise<number>((done) => {
    request(url, { path: '/../../../../etc/passwd' }, (answer) => done(answer.statusCode ?? 0)).end()
  })
  expect(raw).toBe(404)
  // `//host` would be an address at another origin
  const other = await new Promise<string | undefined>((done) => {
    request(url, { path: '//evil.example/../upsell/x' }, (answer) => done(answer.headers.location)).end()
  })
  expect(other).toBeUndefined()
})

test('an idle connection outlives the 60 seconds for which balancers keep one', async () => {
  expect((await get('/')).headers.get('keep-alive')).toBe('timeout=75')
})

test('hashed files are immutable and come compressed', async () => {
  const answer = await new Promise<{ encoding: unknown; cache: unknown; body: string }>((done) => {
    request(`${url}/_astro/a.123.js`, { headers: { 'accept-encoding': 'br' } }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { 'content-encoding': encoding, 'cache-control': cache } = incoming.headers
        done({ encoding, cache, body: brotliDecompressSync(Buffer.concat(chunks)).toString() })
      })
    }).end()
  })
  expect(answer).toEqual({ encoding: 'br', cache: 'public, max-age=31536000, immutable', body: 'script' })
})

test('the service is behind /api, told who asked; a page is not changed by POST', async () => {
  expect(await (await get('/api/config?x=1')).json()).toEqual({ url: '/api/config?x=1', forwarded: '127.0.0.1' })
  const headers = { 'X-Forwarded-For': '203.0.113.9' }
  expect(await (await fetch(`${url}/api/config`, { headers })).json()).toMatchObject({
    forwarded: '203.0.113.9, 127.0.0.1',
  })
  expect((await fetch(`${url}/checkout/abc`, { method: 'POST' })).status).toBe(405)
  expect((await get('/_stripe/stripe.js')).status).toBe(404)
})

test('a swapped build is served without a restart', async () => {
  const own = join(folder, 'swapped')
  symlinkSync(build('before', '1'), own)
  const swapping = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: own })
  const home = `${await listen(swapping)}/`
  const shown = async () => (await fetch(home)).text()
  expect(await shown()).toBe('home 1')
  const after = build('after', '2')
  writeFileSync(join(after, '_astro', 'b.456.js'), 'new script')
  symlinkSync(after, `${own}.next`)
  renameSync(`${own}.next`, own)
  // a page of another server, which noticed earlier, names a file that is new
  expect((await fetch(`${home}_astro/b.456.js`)).status).toBe(200)
  await expect.poll(shown).toBe('home 2')
  swapping.closeAllConnections()
  swapping.close()
})

test('a service that is away is a 502 with a stable code, and the site goes on', async () => {
  const alone = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: link })
  const address = await listen(alone)
  const answer = await fetch(`${address}/api/config`)
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({ error: { code: 'service_unavailable' } })
  expect((await fetch(`${address}/`)).status).toBe(200)
  alone.close()
})

test('before the first build the front door says what to do', async () => {
  const empty = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: join(folder, 'none') })
  const answer = await fetch(await listen(empty))
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')])
  empty.close()
})

/** The draft deployment as built: it fetches nothing on a visitor's behalf, and is reachable from this machine only. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDrafts } from '../../scripts/drafts-build.ts'
import { launch, type Running, untilReady } from '../../scripts/processes.ts'
import { contentClient } from '../../src/cms/connection.ts'
import { anyPort } from '../../db/ports.ts'
import { root } from '../../scripts/settings.ts'
import { type RunningLake, startLake } from '../../stand-ins/content-lake/start.ts'
import { parsed, raw } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'eye-drafts-'))
const fetched: string[] = []
let lake: RunningLake
let neighbour: Server
let build: string
const started: Running[] = []

beforeAll(async () => {
  lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  neighbour = createServer((request, response) => {
    fetched.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'image/png' }).end('every mail of the mailbox')
  })
  await new Promise<void>((done) => void neighbour.listen(0, '127.0.0.1', done))
  build = (await buildDrafts(join(root, '.data', 'drafts'))).folder
}, 180_000)
afterAll(async () => {
  await Promise.all(started.map((running) => running.stop()))
  neighbour?.close()
  await lake?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the deployment; `ask` sends a GET with a Host header. */
async function start(env: Record<string, string> = {}) {
  const port = await anyPort()
  const content = { SANITY_PROJECT_ID: 'local0001', SANITY_API_HOST: lake.url, SANITY_TOKEN: 'editors' }
  const program = {
    name: 'preview',
    args: ['src/drafts/server.ts'],
    env: { PORT: String(port), DRAFTS_BUILD: build, SITE_RENDER: 'drafts', ...content, ...env },
    readyUrl: `http://127.0.0.1:${port}/healthz`,
  }
  const running = launch(program, { logDir: folder })
  started.push(running)
  await untilReady(running, program.readyUrl)
  return async (path: string, host = `localhost:${port}`) =>
    parsed(await raw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
}

test('K-04 it fetches no address that a visitor names, and its pages show the lake’s own pictures', async () => {
  const ask = await start()
  const address = `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}/api/messages`
  for (const href of [address, address.replace('127.0.0.1', 'localhost'), `${lake.url}/images/x.png`]) {
    for (const endpoint of ['/_image', '/_image/', '//_image', '/%5fimage']) {
      const { status, body } = await ask(`${endpoint}?href=${encodeURIComponent(href)}&w=100&h=100&f=webp`)
      expect([403, 404], endpoint).toContain(status)
      expect(body).not.toContain('every mail')
    }
  }
  expect(fetched).toEqual([])
  const page = await ask('/women-over60')
  expect(page.status).toBe(200)
  expect(page.body).toContain(`${lake.url}/images/`)
  expect(page.body).not.toContain('/_image')
  for (const path of ['/%', '/%00', '/quiz/%ff', `/${'a'.repeat(300)}`]) {
    expect((await ask(path)).status, path).toBeLessThan(500)
  }
})

test('K-04 an article or a legal page that is broken or just begun takes the preview of no other away', async () => {
  const address = { projectId: 'local0001', dataset: 'production', apiHost: lake.url, token: 'editors' }
  const editor = contentClient('raw', address)
  const begun = ['advertorial', 'legalPage'].map((_type) => ({ _id: `drafts.begun-${_type}`, _type }))
  const broken = async (id: string, fields: object) => ({
    ...(await editor.getDocument(id)),
    ...fields,
    _id: `drafts.${id}`,
  })
  const drafts = [
    ...begun,
    await broken('advertorial-women-over60', { headline: '' }),
    await broken('legal-privacy', { title: '' }),
    { ...(await broken('legal-contact-us', {})), _id: 'drafts.twin' },
  ]
  for (const draft of drafts) await editor.createOrReplace(draft as never)
  const ask = await start()
  const [article, legal] = [await ask('/screen-tired-eyes'), await ask('/legal/terms-and-conditions')]
  expect([article.status, legal.status]).toEqual([200, 200])
  expect(legal.body).toContain('href="/legal/accessibility"')
  const said = { '/women-over60': 'headline', '/legal/privacy': 'title', '/legal/contact-us': 'slug' }
  for (const [path, field] of Object.entries(said)) {
    const { status, body } = await ask(path)
    expect([status, body.split('</b>').length], path).toEqual([422, 2])
    expect(body).toContain(`<code>${field}</code>`)
  }
  expect((await ask('/no-such-article')).status).toBe(404)
  expect((await ask('/legal/no-such-page')).status).toBe(404)
  for (const { _id } of drafts) await editor.delete(_id)
})

test('K-04 drafts are locked wherever another machine could ask for them', async () => {
  const open = await start()
  expect((await open('/quiz')).status).toBe(200)
  for (const env of [{ HOST: '0.0.0.0' }, { ALLOWED_HOSTS: 'drafts.example' }, { PREVIEW_LOCK: '1' }]) {
    const ask = await start(env)
    for (const path of ['/', '/quiz', '/_drafts/changes', '/_astro/none.js']) {
      expect((await ask(path)).status, `${JSON.stringify(env)} ${path}`).toBe(401)
    }
    const named = await ask('/quiz', 'drafts.example')
    expect(named.status).toBe('ALLOWED_HOSTS' in env ? 401 : 421)
  }
})

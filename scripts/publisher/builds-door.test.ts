/** What editors may see and do with the builds of a site, by their own sign-in at a real lake of development. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createClient } from '@sanity/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuildsView } from '../../contract/builds.ts'
import { type RunningLake, startLake } from '../../stand-ins/content-lake/start.ts'
import { type BuildRecord, writeRecord } from '../builds/builds.ts'
import { journal } from '../builds/journal.ts'
import { showBuild } from '../builds/live.ts'
import { answersBuilds } from './builds-door.ts'
import { type Door, editorDoor } from './editor-door.ts'

const STUDIO = 'http://localhost:3333'
const LANDING = { words: 'landing', document: { id: 'landing', type: 'landing' } }
const LAKE_TOKEN = 'the-lakes-own-token-0123456789'
let place: string
let builds: string
let site: string
let lake: RunningLake
let token: string
const servers: Server[] = []
let url: string

async function serve(enter: Door): Promise<string> {
  const server = createServer((request, response) => {
    if (!answersBuilds({ site, enter, origins: [STUDIO] }, request, response)) response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((listening) => server.once('listening', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const clientOf = (apiHost: string) =>
  createClient({
    ...{ projectId: 'local0001', dataset: 'production', apiVersion: '2026-03-01', token: LAKE_TOKEN },
    ...{ apiHost, useProjectHostname: false, useCdn: false },
  })

let count = 0
function build(changed: BuildRecord['changed'][number]): string {
  const folder = join(builds, (++count).toString(16).padStart(16, '0'))
  mkdirSync(join(folder, '_astro'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), basename(folder))
  writeFileSync(join(folder, '_astro', 'own.js'), '')
  const about = { built: new Date(count * 1_000).toISOString(), sources: '', documents: {}, changed: [changed] }
  writeRecord(folder, { ...about, files: ['own.js'] })
  return basename(folder)
}
const shown = () => readFileSync(join(site, 'index.html'), 'utf8')

interface Reply {
  status: number
  body: BuildsView & { error?: string }
  headers: Headers
}
async function ask(path: string, given: RequestInit & { token?: string | null } = {}, at = url): Promise<Reply> {
  const sent = given.token === undefined ? token : given.token
  const headers = { ...(sent === null ? {} : { authorization: `Bearer ${sent}` }), ...(given.headers ?? {}) }
  const answer = await fetch(at + path, { ...given, headers })
  return { status: answer.status, body: (await answer.json()) as Reply['body'], headers: answer.headers }
}
const change = (what: string, body: object = {}) =>
  ask(`/builds/${what}`, { method: 'POST', body: JSON.stringify(body) })

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'eye-builds-door-'))
  builds = join(place, 'builds')
  site = join(place, 'site')
  lake = await startLake({ dataDir: join(place, 'lake'), token: LAKE_TOKEN, studioOrigins: [STUDIO] })
  const signIn = await fetch(`${lake.url}/v2026-03-01/auth/fetch?sid=embedded`, { headers: { origin: STUDIO } })
  token = ((await signIn.json()) as { token: string }).token
  // the first as an earlier release wrote it
  for (const changed of ['everything', LANDING, { words: 'quiz' }])
    await showBuild(join(builds, build(changed)), site, 'publisher')
  url = await serve(editorDoor(clientOf(lake.url)))
})
afterAll(async () => {
  for (const server of servers) server.close()
  await lake.close()
  rmSync(place, { recursive: true, force: true })
})

/** A lake that knows people by the first word of their tokens. */
async function strangeLake() {
  const people: Record<string, { status: number; body: object }> = {
    viewer: { status: 200, body: { id: 'p-1', name: 'Vera', roles: [{ name: 'viewer' }] } },
    nobody: { status: 200, body: { id: 'p-2', roles: [] } },
    down: { status: 500, body: {} },
  }
  const server = createServer((request, response) => {
    const name = /Bearer (\w+)-/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const { status, body } = people[name] ?? { status: 401, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((listening) => server.once('listening', listening))
  return clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).withConfig({ maxRetries: 0 })
}

const [ONE, TWO, THREE] = [1, 2, 3].map((n) => n.toString(16).padStart(16, '0')) as [string, string, string]

test('K-04 an editor sees the builds, goes back to one under their name, holds the site and lets it go', async () => {
  const { body } = await ask('/builds')
  expect(body.pin).toBeNull()
  const states = ({ builds: list }: BuildsView) => Object.fromEntries(list.map(({ name, state }) => [name, state]))
  expect(states(body)).toEqual({ [ONE]: 'kept', [TWO]: 'kept', [THREE]: 'live' })
  expect(body.builds.find(({ name }) => name === TWO)).toMatchObject({
    built: new Date(2_000).toISOString(),
    changed: [LANDING],
    last: { what: 'published', who: 'publisher' },
  })
  expect(body.builds.find(({ name }) => name === ONE)?.changed).toEqual([{ words: 'everything' }])
  const back = await change('rollback', { build: ONE })
  expect([back.status, shown(), states(back.body)[ONE]]).toEqual([200, ONE, 'live'])
  expect(back.body.pin?.by).toBe('Local Editor (editor)')
  expect(back.body.milliseconds).toBeGreaterThanOrEqual(0)
  expect(await showBuild(join(builds, build('later')), site, 'publisher')).toBe(false)
  const free = await change('unpin')
  expect([shown(), free.body.pin]).toEqual(['0000000000000004', null])
  const held = await change('pin')
  expect([shown(), held.body.pin?.by]).toEqual(['0000000000000004', 'Local Editor (editor)'])
  await change('unpin')
  expect(journal(builds, site).map(({ what }) => what)).toEqual([
    ...['published', 'published', 'published', 'rolled back', 'held back', 'unpinned', 'pinned', 'unpinned'],
  ])
})

test('K-04 K-06 a build that is gone or broken is named, and the site stays as it was', async () => {
  const before = { shown: shown(), journal: journal(builds, site).length }
  rmSync(join(builds, ONE), { recursive: true })
  rmSync(join(builds, TWO, '_astro', 'own.js'))
  const { body } = await ask('/builds')
  const stateOf = (name: string) => body.builds.find((one) => one.name === name)?.state
  expect([stateOf(ONE), stateOf(TWO)]).toEqual(['gone', 'broken'])
  for (const [name, words] of [
    [ONE, /no build 0{15}1 any more/],
    [TWO, /Parts of the build 0{15}2 are missing/],
    ['../../etc', /no build/],
  ] as const) {
    const reply = await change('rollback', { build: name })
    expect([reply.status, reply.body.error]).toEqual([409, expect.stringMatching(words)])
  }
  for (const wrong of ['', 'no json', '{}', '{"build":7}', `{"build":"${'x'.repeat(2_000)}"}`]) {
    const reply = await ask('/builds/rollback', { method: 'POST', body: wrong })
    expect([400, 413]).toContain(reply.status)
  }
  expect({ shown: shown(), journal: journal(builds, site).length }).toEqual(before)
})

test('N-02 without an editor’s own sign-in nothing is told and nothing changes; the lake is not flooded', async () => {
  const before = shown()
  for (const wrong of [null, 'an-invented-token-0123456789', LAKE_TOKEN.slice(1), 'short']) {
    for (const path of ['/builds', '/builds/pin']) {
      const reply = await ask(path, { method: path === '/builds' ? 'GET' : 'POST', token: wrong })
      expect([reply.status, Object.keys(reply.body)]).toEqual([401, ['error']])
    }
  }
  expect((await ask('/builds/pin', { method: 'GET' })).status).toBe(405)
  for (let n = 0; n < 40; n++) await ask('/builds', { token: `an-invented-token-${n}-0123456789` })
  expect((await ask('/builds', { token: 'an-invented-token-0123456789' })).status).toBe(429)
  // who was let in before is let in all the same
  expect((await ask('/builds')).status).toBe(200)
  expect(shown()).toBe(before)
})

test('N-02 pages of the Studio alone may read the answers', async () => {
  const preflight = await fetch(`${url}/builds/pin`, { method: 'OPTIONS', headers: { origin: STUDIO } })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, STUDIO])
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const other = await fetch(`${url}/builds/pin`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
  expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([405, null])
})

test('N-02 who may only look changes nothing; who has no role sees nothing; a lake that is down is said', async () => {
  const at = await serve(editorDoor(await strangeLake()))
  const tokenOf = (name: string) => `${name}-token-0123456789`
  expect((await ask('/builds', { token: tokenOf('viewer') }, at)).status).toBe(200)
  for (const [name, status, words] of [
    ['viewer', 403, /may not publish/],
    ['nobody', 403, /no role/],
    ['down', 503, /lake does not answer/],
  ] as const) {
    const reply = await ask('/builds/pin', { method: 'POST', token: tokenOf(name) }, at)
    expect([reply.status, reply.body.error]).toEqual([status, expect.stringMatching(words)])
  }
})

test('N-02 wrong sign-ins count by the network that the proxy names, a lake that is down not at all', async () => {
  const at = await serve(editorDoor(await strangeLake()))
  const from = (address: string, name: string, n: number) =>
    ask('/builds', { token: `${name}-${n}-0123456789`, headers: { 'x-forwarded-for': address } }, at).then(
      ({ status }) => status,
    )
  for (let n = 0; n < 40; n++) expect(await from('203.0.113.7', 'down', n)).toBe(503)
  expect(await from('203.0.113.7', 'viewer', 0)).toBe(200)
  for (let n = 0; n < 30; n++) expect(await from('203.0.113.7', 'wrong', n)).toBe(401)
  for (const address of ['203.0.113.7', '198.51.100.1, 203.0.113.7', '::ffff:203.0.113.7'])
    expect(await from(address, 'viewer', 1), address).toBe(429)
  expect(await from('198.51.100.1', 'viewer', 1)).toBe(200)
  // a line with IPv6 has a /64 of addresses
  for (let n = 0; n < 30; n++) expect(await from(`2001:db8:0:1::${n}`, 'wrong', n)).toBe(401)
  expect(await from('2001:db8:0:1:a:b:c:d', 'viewer', 2)).toBe(429)
  expect(await from('2001:db8:0:2::1', 'viewer', 2)).toBe(200)
})

/**
 * `npm run advisories`: advisories that affect the lockfile are named and refused, others are not, with and without a
 * registry.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Advisories,
  checkAdvisories,
  EXCEPTIONS,
  type Exception,
  findingsOf,
  lockedVersions,
  readKept,
} from './advisories.ts'
import { anyPort } from '../db/ports.ts'
import { root } from './settings.ts'

const locked = lockedVersions()
const [version = ''] = locked.get('express') ?? []
const [major = 0] = version.split('.').map(Number)

/** Invented advisories about express: one affects the locked version, the others do not. */
const about = (vulnerable_versions: string, severity = 'high', id = 'GHSA-aaaa-bbbb-cccc'): Advisories => ({
  express: [{ url: `https://advisories.example/${id}`, title: 'Invented fault', severity, vulnerable_versions }],
})
const HIT = about(`>=${major}.0.0 <${major + 1}.0.0`)
const MISSED = about(`<${major}.0.0-0 || >=${major + 1}.0.0`)

const place = mkdtempSync(join(tmpdir(), 'advisories-'))
const kept = join(place, 'kept.json')
let answer: { status: number; body: unknown } = { status: 200, body: {} }
const asked: { method: string | undefined; url: string | undefined; body: Record<string, string[]> }[] = []
let server: Server
let registry: string

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      asked.push({
        method: request.method,
        url: request.url,
        body: JSON.parse(body || '{}') as Record<string, string[]>,
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/`
})
afterAll(() => {
  server.close()
  rmSync(place, { recursive: true })
})

const check = async (options: { exceptions?: readonly Exception[]; save?: boolean; day?: string } = {}) => {
  const lines: string[] = []
  const { exceptions = [], save = false, day = '2026-11-22' } = options
  const now = new Date(`${day}T12:00:00Z`)
  const code = await checkAdvisories({ registry, kept, exceptions, save, now, say: (line) => void lines.push(line) })
  return { code, text: lines.join('\n') }
}

test('the registry is asked about every version of the lockfile, and nothing known is no fault', async () => {
  answer = { status: 200, body: {} }
  expect(await check()).toMatchObject({ code: 0 })
  const last = asked.at(-1)
  expect([last?.method, last?.url]).toEqual(['POST', '/npm/-/npm/v1/security/advisories/bulk'])
  expect(Object.keys(last?.body ?? {}).length).toBeGreaterThan(500)
  expect(last?.body['express']).toEqual([version])
})

test('a grave fault of a locked version is refused by package, version, advisory and fix', async () => {
  answer = { status: 200, body: HIT }
  const { code, text } = await check()
  expect(code).toBe(1)
  expect(text).toContain(`NOT ALLOWED  high  express ${version}  GHSA-aaaa-bbbb-cccc  fixed in: ${major + 1}.0.0`)
})

test('one of other versions, of a package that is not locked, or a moderate one is not refused', async () => {
  answer = { status: 200, body: { ...MISSED, 'never-locked': HIT['express'] } }
  expect(await check()).toEqual({ code: 0, text: expect.stringContaining('0 known faults, 0 not allowed') })
  answer = { status: 200, body: about('*', 'moderate') }
  expect(await check()).toEqual({ code: 0, text: expect.stringContaining(`known  moderate  express ${version}`) })
})

test('the fix is the end of the part of the range that holds the version', () => {
  const fixOf = (range: string) => findingsOf(about(range), locked)[0]?.fix
  expect(fixOf(`<1.0.0 || >=${major}.0.0 <${major}.99.1`)).toBe(`${major}.99.1`)
  expect(fixOf(`<=${version}`)).toBe(`newer than ${version}`)
  expect(fixOf('>=0.0.0')).toBe('none yet')
})

test('an exception names advisory and package, has a reason, and ends', async () => {
  answer = { status: 200, body: HIT }
  const exception = { id: 'GHSA-aaaa-bbbb-cccc', package: 'express', reason: 'not reachable', until: '2026-11-22' }
  expect((await check({ exceptions: [exception] })).code).toBe(0)
  expect((await check({ exceptions: [exception], day: '2026-11-23' })).code).toBe(1)
  for (const odd of [{ reason: ' ' }, { id: 'GHSA-other' }, { package: 'body-parser' }]) {
    expect((await check({ exceptions: [{ ...exception, ...odd }] })).code).toBe(1)
  }
  for (const { reason, until } of EXCEPTIONS) {
    expect(reason.length).toBeGreaterThan(20)
    expect(until).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

test('a registry that nobody can reach is named, with the reason and what to do', async () => {
  rmSync(kept, { force: true })
  const lines: string[] = []
  const closed = `http://127.0.0.1:${await anyPort()}/`
  expect(await checkAdvisories({ registry: closed, kept, say: (line) => void lines.push(line) })).toBe(2)
  expect(lines[0]).toMatch(/^The registry http:\S+ cannot be asked: fetch failed: connect ECONNREFUSED/)
  expect(lines[1]).toContain('npm run advisories -- --save')
})

test('without a registry the kept answer is read and its age said; without one nothing is claimed', async () => {
  rmSync(kept, { force: true })
  answer = { status: 405, body: {} }
  const none = await check()
  const why = `The registry ${registry} cannot be asked: POST /npm/-/npm/v1/security/advisories/bulk: 405 Method Not`
  expect(none).toEqual({ code: 2, text: expect.stringContaining(why) })
  expect(none.text).toContain('nothing is known')
  // something answers, but it is not a registry
  answer = { status: 200, body: { message: 'Hello' } }
  expect((await check()).code).toBe(2)

  answer = { status: 200, body: HIT }
  await check({ save: true, day: '2026-11-01' })
  answer = { status: 503, body: {} }
  const old = await check()
  expect(old).toEqual({ code: 1, text: expect.stringContaining('the answer of 2026-11-01 instead, 21 days old') })
  expect(old.text).not.toContain('WARNING')
  // a kept answer is checked against today's lockfile
  keep({ advisories: MISSED })
  expect((await check()).code).toBe(0)
})

/** Writes a kept answer: of 1 November, about everything locked, unless `change` says otherwise. */
function keep(change: object): void {
  const asked = Object.fromEntries(locked)
  writeFileSync(kept, JSON.stringify({ askedAt: '2026-11-01T00:00:00.000Z', asked, advisories: {}, ...change }))
}

test('a kept answer older than 90 days is used with a warning', async () => {
  answer = { status: 503, body: {} }
  keep({ advisories: HIT })
  const ninety = await check({ day: '2027-01-30' })
  expect(ninety).toEqual({ code: 1, text: expect.stringContaining('the answer of 2026-11-01 instead, 90 days old') })
  expect(ninety.text).not.toContain('WARNING')
  const older = await check({ day: '2027-01-31' })
  expect(older).toEqual({ code: 1, text: expect.stringContaining('WARNING: it is older than 90 days') })
})

test('a kept answer that was not asked about a locked version says so by name', async () => {
  answer = { status: 503, body: {} }
  const { express: _now, ...others } = Object.fromEntries(locked)
  keep({ asked: { ...others, express: ['1.0.0'] } })
  expect(await check()).toEqual({
    code: 0,
    text: expect.stringContaining(`WARNING: it says nothing about 1 locked versions: express ${version}.`),
  })
})

test('a file that is no kept answer is refused by what is wrong with it', async () => {
  answer = { status: 503, body: {} }
  keep({ askedAt: 'lately' })
  expect(await check()).toEqual({ code: 2, text: expect.stringMatching(/kept\.json is no kept answer: [^]*askedAt/) })
  writeFileSync(kept, '{"askedAt":')
  expect(await check()).toEqual({ code: 2, text: expect.stringContaining('is no kept answer') })
})

test('the command asks the registry that npm is configured for', { timeout: 240_000 }, async () => {
  answer = { status: 200, body: HIT }
  const env = { ...process.env, npm_config_registry: registry }
  const run = promisify(execFile)(process.execPath, [join(root, 'scripts', 'advisories.ts')], { env })
  await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('NOT ALLOWED  high  express') })
})

test('an answer that is kept in the repository can be read and is of a day that has been', () => {
  const file = join(root, 'scripts', 'advisories.json')
  if (!existsSync(file)) return
  expect(Date.parse(readKept(file).askedAt)).toBeLessThanOrEqual(Date.now())
})

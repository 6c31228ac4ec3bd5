import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@sanity/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WAITING } from '../../contract/published.ts'
import { startLake, type RunningLake } from '../../stand-ins/content-lake/start.ts'
import { newSignIn } from '../../stand-ins/content-lake/identity.ts'
import type { Revisions } from '../content-check.ts'
import { root } from '../settings.ts'
import { LakeAway } from '../builds/lake-away.ts'
import { startMakers } from './makers.ts'
import { type Publisher, type PublisherOptions, startPublisher } from './publisher.ts'
import { problemsOf, SITE_STATUS_ID, type SitePin } from './site-status.ts'

let folder: string
let lake: RunningLake
let publisher: Publisher
let builds: number[] = []
/** Whose changes each of them shows. */
let by: string[][] = []
/** What was checked before each. */
let sound: Revisions[] = []
let failure: Error | undefined
let pin: SitePin | null = null
/** Asked while a site is built, and what it answered. */
let during: (() => Promise<unknown>) | undefined
let whileBuilt: unknown[] = []
const client = () =>
  createClient({
    projectId: 'local0001',
    dataset: 'production',
    apiHost: lake.url,
    useProjectHostname: false,
    useCdn: false,
    apiVersion: '2026-03-01',
    perspective: 'raw',
    token: 'editors',
  })

const options = (): PublisherOptions => ({
  client: client(),
  log: () => undefined,
  pin: () => pin,
  retryMs: 50,
  rebuildMs: 50,
  // on the slowest machine, three publishes in a row still come within one wait
  settleMs: 800,
  settleAtMostMs: 4_000,
  async build(makers, checked) {
    builds.push(Date.now())
    sound.push(checked)
    if (failure) throw failure
    whileBuilt.push(await during?.())
    const documents = await client().fetch<{ _id: string; _rev: string }[]>('*{_id, _rev}')
    by.push(await makers.namesFor(Object.fromEntries(documents.map(({ _id, _rev }) => [_id, _rev]))))
    return false
  },
})

beforeEach(async () => {
  builds = []
  by = []
  sound = []
  failure = undefined
  pin = null
  during = undefined
  whileBuilt = []
  folder = mkdtempSync(join(tmpdir(), 'publisher-'))
  lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
  publisher = startPublisher(options())
})
afterEach(async () => {
  publisher.stop()
  await lake.close()
  rmSync(folder, { recursive: true, force: true })
})
const status = () => client().getDocument(SITE_STATUS_ID)
/** The build that a publisher begins with is over, so that the next one is a test's own. */
async function started(): Promise<void> {
  await expect.poll(status).toMatchObject({ state: 'live' })
  expect(builds).toHaveLength(1)
  builds = []
}

test('K-04 publishes together are one build; drafts are none', async () => {
  await started()
  // content published before the start is not a change: it is on the site
  await expect.poll(status).toMatchObject({ state: 'live', problems: [], building: null })
  const { at } = (await status()) as unknown as { at: string }
  await client().createOrReplace({ _id: 'drafts.landing', _type: 'landing', heading: 'Not yet' })
  for (const age of [1, 2, 3])
    await client()
      .patch('testimonial-js')
      .set({ age: 60 + age })
      .commit()
  await expect.poll(() => builds.length).toBe(1)
  await expect.poll(async () => ((await status()) as { at?: string } | undefined)?.at).not.toBe(at)
  // its own report is not a change
  await new Promise((done) => setTimeout(done, 1_200))
  expect(builds).toHaveLength(1)
})

test('K-04 editors read that the site is being built while it is, and no longer afterwards', async () => {
  await started()
  const building = async () => (await status())?.['building'] as unknown
  await expect.poll(building).toBeNull()
  during = building
  for (const heading of ['The first', 'The second']) {
    whileBuilt = []
    await client().patch('landing').set({ heading }).commit()
    await expect.poll(() => whileBuilt.at(-1), { message: heading }).toMatch(/^\d{4}-/)
    await expect.poll(building).toBeNull()
  }
  await client().patch('testimonial-js').set({ verified: true }).unset(['provenance']).commit()
  await expect.poll(status).toMatchObject({ state: 'broken', building: null })
})

test('K-05 broken content is not built; editors read document and field until a good publish clears it', async () => {
  await started()
  const words = 'testimonial-js'
  await client().patch(words).set({ verified: true }).unset(['provenance']).commit()
  await expect.poll(status).toMatchObject({
    state: 'broken',
    problems: [{ documentId: words, documentType: 'testimonial', path: 'provenance' }],
  })
  expect(builds).toHaveLength(0)
  await client().patch(words).set({ provenance: 'Letter of 2026-02-01' }).commit()
  await expect.poll(status).toMatchObject({ state: 'live' })
  expect(builds).toHaveLength(1)
  const { goodAt } = (await status()) as unknown as { goodAt: string }
  expect(goodAt).toMatch(/^\d{4}-/)
  await client().patch(words).unset(['provenance']).commit()
  await expect.poll(status).toMatchObject({ state: 'broken', goodAt })
})

test('K-05 K-06 a fault that was put right while the publisher was down is told as over by the next one', async () => {
  await started()
  await client().create({ _id: 'testimonial-new', _type: 'testimonial', verified: true })
  await expect.poll(status).toMatchObject({ state: 'broken' })
  const { at } = (await status()) as unknown as { at: string }
  publisher.stop()
  await client().delete('testimonial-new')
  publisher = startPublisher(options())
  await expect.poll(status).toMatchObject({ state: 'live', problems: [], building: null })
  expect(((await status()) as unknown as { at: string }).at > at).toBe(true)
})

test('K-05 a build is told what was found sound, by revision, so that it need not check it again', async () => {
  await started()
  const { _rev } = await client().patch('landing').set({ heading: 'Rest your eyes' }).commit()
  await expect.poll(() => sound.at(-1)?.['landing']).toBe(_rev)
  const documents = await client().fetch<{ _id: string; _rev: string }[]>('*[_type == "testimonial"]{_id, _rev}')
  expect(documents.length).toBeGreaterThan(3)
  for (const { _id, _rev: revision } of documents) expect(sound.at(-1)?.[_id]).toBe(revision)
})

test('K-04 K-06 a build is by those whose changes it is the first to show, also of what a fault held up', async () => {
  await started()
  const editor = client().withConfig({ token: newSignIn() })
  await editor.patch('testimonial-js').set({ verified: true }).unset(['provenance']).commit()
  await expect.poll(status).toMatchObject({ state: 'broken' })
  // by an import, or another program
  await client().patch('testimonial-js').set({ provenance: 'Letter of 2026-02-01' }).commit()
  await expect.poll(() => by.at(-1)).toEqual(['Local Editor', 'Local token'])
  await client().patch('testimonial-td').set({ age: 72 }).commit()
  await expect.poll(() => by.at(-1)).toEqual(['Local token'])
})

test('K-06 whose changes a build shows is told by revision: what came after it is of the next', async () => {
  const asked: string[] = []
  const getById = (id: string) => {
    asked.push(id)
    return id === 'gone' ? Promise.reject(new Error('404')) : Promise.resolve({ id, displayName: id.toUpperCase() })
  }
  const makers = startMakers({ users: { getById } } as unknown as Parameters<typeof startMakers>[0])
  const heard = (documentId: string, identity: string, resultRev: string, transition = 'update') =>
    makers.heard({ documentId, identity, resultRev, transition } as Parameters<typeof makers.heard>[0])
  heard('quiz', 'ada', 'r1')
  heard('landing', 'ben', 'r2')
  heard('landing', 'gone', 'r3')
  heard('legal', 'cy', 'r4', 'disappear')
  expect(await makers.namesFor({ quiz: 'r1', landing: 'r2', legal: 'r0' })).toEqual(['ADA'])
  expect(await makers.namesFor({ quiz: 'r1', landing: 'r3' })).toEqual(['BEN', 'CY'])
  expect(await makers.namesFor({ quiz: 'r1', landing: 'r3' })).toEqual([])
  expect(asked.filter((id) => id === 'ada')).toHaveLength(1)
})

test('K-06 a failed build says document, field and reason; a lake that is away is asked again', async () => {
  await started()
  failure = new Error(
    'The site could not be built:\n  quiz "quiz", field steps[_key=="email"].title: is missing\n  quiz ' +
      '"quiz", field steps[_key=="email"].title: is missing',
  )
  await client().patch('testimonial-js').set({ age: 70 }).commit()
  await expect.poll(status).toMatchObject({
    state: 'broken',
    problems: [{ documentId: 'quiz', path: 'steps[_key=="email"].title', message: 'is missing' }],
  })
  const told = ((await status()) as { problems?: unknown } | undefined)?.problems
  failure = new LakeAway('The content at http://127.0.0.1:1 does not answer')
  await client().patch('testimonial-js').set({ age: 71 }).commit()
  await expect.poll(() => builds.length).toBeGreaterThan(3)
  // an outage is no fault of the content: editors still read the one before
  expect((await status())?.['problems']).toEqual(told)
  failure = undefined
  await expect.poll(status).toMatchObject({ state: 'live' })
})

test('K-04 K-06 a build that failed is tried again by itself; editors are told once, and when it is live', async () => {
  await started()
  failure = new Error('ENOSPC: no space left on device')
  await client().patch('testimonial-js').set({ age: 70 }).commit()
  await expect.poll(status).toMatchObject({ state: 'broken', problems: [{ message: failure.message }] })
  const told = await status()
  await expect.poll(() => builds.length).toBeGreaterThan(3)
  expect(await status()).toEqual(told)
  // each time after a longer while: a build that cannot succeed does not keep the machine busy
  const waits = builds.slice(1, 4).map((at, index) => at - (builds[index] ?? 0))
  expect(waits.map((wait, index) => wait >= 50 * 2 ** index)).toEqual([true, true, true])
  failure = undefined
  await expect.poll(status).toMatchObject({ state: 'live', problems: [] })
})

/** What the Studio asks: since when something published waits for the publisher. */
const waiting = () =>
  client().fetch<{ since: string; seconds: number } | null>(`*[_id == "site.status"][0]{"it": ${WAITING}}.it`)

test('K-04 K-06 what is published while the publisher is down is known to wait, until it is back', async () => {
  await started()
  await client().patch('testimonial-js').set({ age: 71 }).commit()
  await expect.poll(waiting).toBeNull()
  publisher.stop()
  // neither a draft nor a release that is not published yet is on the way to the site
  for (const id of ['drafts.landing', 'versions.rSpring.landing'])
    await client().createOrReplace({ _id: id, _type: 'landing', heading: 'Not yet' })
  expect(await waiting()).toBeNull()
  const { _updatedAt: since } = await client().patch('testimonial-td').set({ age: 72 }).commit()
  await client().patch('testimonial-js').set({ age: 73 }).commit()
  expect(await waiting()).toEqual({ since, seconds: expect.any(Number) })
  await expect.poll(async () => (await waiting())?.seconds).toBeGreaterThan(0.5)
  publisher = startPublisher(options())
  await expect.poll(waiting).toBeNull()
})

test('K-04 K-06 what is published during a build waits for the next, also where the publisher ends first', async () => {
  await started()
  const before = (await status())?.['at'] as unknown
  let late = ''
  during = async () => {
    late = (await client().patch('testimonial-td').set({ age: 72 }).commit())._updatedAt
    publisher.stop()
  }
  await client().patch('testimonial-js').set({ age: 71 }).commit()
  // the last thing that this publisher does
  await expect.poll(async () => (await status())?.['at'] as unknown).not.toBe(before)
  expect(await waiting()).toEqual({ since: late, seconds: expect.any(Number) })
})

test('K-06 a publisher whose clock is slow does not make what is on the site seem to wait', async () => {
  await started()
  const { _updatedAt: at } = await client().patch('testimonial-js').set({ age: 71 }).commit()
  const slow = Date.parse(at) - 60_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(slow)
  await expect.poll(status).toMatchObject({ state: 'live', at })
  clock.mockRestore()
  expect(await waiting()).toBeNull()
})

test('K-05 on a server for visitors sample content keeps the old site, and editors read where it is', async () => {
  await started()
  publisher.stop()
  const strict = startPublisher({
    client: client(),
    log: () => undefined,
    pin: () => null,
    launch: true,
    build: () => Promise.reject(new Error('never built')),
  })
  try {
    await expect.poll(status).toMatchObject({ state: 'broken' })
    const { problems } = (await status()) as unknown as { problems: { documentId: string; path: string }[] }
    expect(problems).toContainEqual(expect.objectContaining({ documentId: 'settings', path: 'sample' }))
    expect(problems).toContainEqual(expect.objectContaining({ documentId: 'offer', path: 'introText' }))
  } finally {
    strict.stop()
  }
})

test('K-04 a site that is pinned says so at once and with every publish, until it is unpinned', async () => {
  await started()
  pin = { built: '2026-11-20T08:00:00.000Z', since: '2026-11-23T08:00:00.000Z', by: 'ada@desk' }
  await expect.poll(status).toMatchObject({ state: 'live', pin })
  await client().patch('testimonial-js').set({ age: 64 }).commit()
  await expect.poll(() => builds.length).toBe(1)
  await expect.poll(status).toMatchObject({ state: 'live', milliseconds: expect.any(Number), pin })
  pin = null
  await expect.poll(status).toMatchObject({ pin: null })
})

test('K-06 words of a builder that name no document are shown as they are', () => {
  expect(problemsOf('Out of memory')).toMatchObject([{ documentId: '', message: 'Out of memory' }])
})

/**
 * Releases that meet bad luck, with the real lake, publishers and builds: two editors in one second, a program that is
 * down at the set time, a build that dies in the middle. Nothing is half live, what is wrong is shown where editors
 * look, and the site ends on what was published.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SanityClient } from '@sanity/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordOf } from '../../scripts/builds/builds.ts'
import { journal } from '../../scripts/builds/journal.ts'
import { buildsShown } from '../../scripts/builds/listing.ts'
import { SITE_STATUS_ID } from '../../scripts/publisher/site-status.ts'
import type { Running } from '../../scripts/processes.ts'
import { canPublish, type Publishing, startPublishing } from './publishing.ts'

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
const built = { timeout: 170_000 }

describe.skipIf(!canPublish)('releases that meet bad luck', () => {
  let place: Publishing
  let publisher: Running
  beforeAll(async () => {
    place = await startPublishing()
    publisher = await place.startPublisher()
  })
  afterAll(() => place.close())

  const lake = () => place.client()
  const read = (id: string) => lake().getDocument(id) as Promise<Record<string, unknown> & { _id: string }>
  const status = () => read(SITE_STATUS_ID)
  const page = async (path: string) => (await fetch(place.url + path)).text()
  /** Which of these words a page has. */
  const has = async (path: string, ...words: string[]) => {
    const html = await page(path)
    return words.filter((one) => html.includes(one))
  }
  /** A release of these changes, each of one document. */
  async function release(client: SanityClient, releaseId: string, changes: Record<string, object>): Promise<string> {
    await client.releases.create({ releaseId, metadata: { title: releaseId, releaseType: 'asap' } } as never)
    for (const [id, change] of Object.entries(changes))
      await client.create({ ...(await read(id)), _id: `versions.${releaseId}.${id}`, ...change } as never)
    return releaseId
  }
  /** The quiz with another title of its first step. */
  async function quizWith(title: string): Promise<object> {
    const { steps } = (await read('quiz')) as unknown as { steps: object[] }
    return { steps: steps.map((step, index) => (index === 0 ? { ...step, title } : step)) }
  }
  type Revisions = Record<string, string>
  const revisions = async (...ids: string[]): Promise<Revisions> => {
    const found = await lake().fetch<{ _id: string; _rev: string }[]>('*[_id in $ids]{_id, _rev}', { ids })
    return Object.fromEntries(found.map(({ _id, _rev }) => [_id, _rev]))
  }
  /** These documents as each build had them that was ever live, the oldest first. */
  const everLive = (ids: string[]): Revisions[] =>
    journal(place.builds, place.site)
      .filter(({ what }) => what === 'published')
      .map(({ build }) => recordOf(join(place.builds, build))?.documents ?? {})
      .map((documents) => Object.fromEntries(ids.map((id) => [id, documents[id] ?? 'none'])))

  test('K-04 two releases of two editors in one second are both whole, in the lake’s order, both named', async () => {
    const [ada, ben] = [place.client(true), lake()]
    const touched = { rAda: ['landing', 'quiz'], rBen: ['landing', 'testimonial-js'] }
    const ids = ['landing', 'quiz', 'testimonial-js']
    const before = await revisions(...ids)
    const earlier = everLive(ids).length
    await release(ada, 'rAda', { landing: { heading: 'Ada’s heading' }, quiz: await quizWith('Ada’s question?') })
    await release(ben, 'rBen', { landing: { heading: 'Ben’s heading' }, 'testimonial-js': { age: 91 } })
    await Promise.all([ada.releases.publish({ releaseId: 'rAda' }), ben.releases.publish({ releaseId: 'rBen' })])

    // a release and what it publishes have the revision of one transaction
    const order = await lake().fetch<{ name: 'rAda' | 'rBen'; _rev: string }[]>(
      '*[_type == "system.release" && state == "published"] | order(publishedAt) {name, _rev}',
    )
    const states = [before]
    for (const { name, _rev } of order)
      states.push({ ...states.at(-1), ...Object.fromEntries(touched[name].map((id) => [id, _rev])) })
    expect(await revisions(...ids)).toEqual(states.at(-1))
    const last = order.at(-1)?.name === 'rAda' ? 'Ada’s heading' : 'Ben’s heading'
    await expect.poll(() => has('/', 'Ada’s heading', 'Ben’s heading'), built).toEqual([last])
    expect(await has('/quiz', 'Ada’s question?')).toEqual(['Ada’s question?'])
    await expect.poll(status, built).toMatchObject({ state: 'live', problems: [] })
    // no build was ever live that had a part of either
    const live = everLive(ids).slice(earlier)
    for (const one of live) expect(states).toContainEqual(one)
    expect(live.at(-1)).toEqual(states.at(-1))
    const who = buildsShown(place.site).builds.flatMap(({ last: noted }) => noted?.who ?? [])
    for (const name of ['Local Editor', 'Local token']) expect(who.join()).toContain(name)
  })

  test('K-05 K-06 two releases sound alone, broken together: named, and both live once one gives way', async () => {
    const before = { build: place.shown(), landing: (await read('landing'))['heading'] as string }
    const path = '/bad-luck'
    const { _id, ...story } = await read('advertorial-women-over60')
    for (const [name, heading] of [
      ['rCleo', 'Cleo’s heading'],
      ['rDan', ''],
    ] as const) {
      await release(lake(), name, heading ? { landing: { heading } } : {})
      await lake().create({ ...story, _id: `versions.${name}.story-${name}`, path } as never)
    }
    await Promise.all(['rCleo', 'rDan'].map((releaseId) => lake().releases.publish({ releaseId })))
    await expect.poll(status, built).toMatchObject({
      state: 'broken',
      problems: [{ documentType: 'advertorial', documentId: expect.stringMatching(/^story-/), path: 'path' }],
    })
    const live = await has('/', before.landing, 'Cleo’s heading')
    const stories = (await fetch(place.url + path)).status
    if (place.shown() === before.build) expect([live, stories]).toEqual([[before.landing], 404])
    await lake().delete('story-rDan')
    await expect.poll(() => has('/', 'Cleo’s heading'), built).toEqual(['Cleo’s heading'])
    expect((await fetch(place.url + path)).status).toBe(200)
    await expect.poll(status, built).toMatchObject({ state: 'live', problems: [] })
  })

  test('K-04 a release set for a time at which the publisher is down is whole and live once it is back', async () => {
    await publisher.stop()
    const before = place.shown()
    await release(lake(), 'rEve', { landing: { heading: 'Eve’s heading' }, quiz: await quizWith('Eve’s question?') })
    await lake().releases.schedule({ releaseId: 'rEve', publishAt: soon(500) })
    await expect.poll(() => read('_.releases.rEve')).toMatchObject({ state: 'published' })
    expect((await read('landing'))['heading']).toBe('Eve’s heading')
    expect([place.shown(), await has('/', 'Eve’s heading')]).toEqual([before, []])
    publisher = await place.startPublisher()
    expect([await has('/', 'Eve’s heading'), await has('/quiz', 'Eve’s question?')].flat()).toHaveLength(2)
    await expect.poll(status, built).toMatchObject({ state: 'live', problems: [] })
  })

  test('K-04 releases set for times at which the lake is down are live in their order once it is back', async () => {
    const [gus, fay] = [soon(3_000), soon(2_000)]
    await release(lake(), 'rGus', { landing: { heading: 'Gus’ heading' } })
    await release(lake(), 'rFay', { landing: { heading: 'Fay’s heading' }, quiz: await quizWith('Fay’s question?') })
    const actionType = 'sanity.action.release.schedule'
    await lake().action([
      { actionType, releaseId: 'rGus', publishAt: gus },
      { actionType, releaseId: 'rFay', publishAt: fay },
    ])
    place.lake.child.kill('SIGKILL')
    await place.lake.ended
    await sleep(Math.max(0, Date.parse(gus) - Date.now()))
    expect(await has('/', 'Fay’s heading', 'Gus’ heading')).toEqual([])
    await place.startLake()
    // the publisher finds the lake again by itself
    await expect.poll(() => has('/', 'Fay’s heading', 'Gus’ heading'), built).toEqual(['Gus’ heading'])
    expect(await has('/quiz', 'Fay’s question?')).toEqual(['Fay’s question?'])
    await expect.poll(status, built).toMatchObject({ state: 'live', problems: [] })
  })

  test('K-04 K-06 a build of a release that dies half-way is named and made again; nothing is half live', async () => {
    // nothing of an earlier build goes on running, but for the tool that waits for the next one, and may die
    const children = () => childrenOf(publisher.child.pid ?? 0)
    await expect.poll(() => children().map(commandOf)).toEqual([expect.stringContaining('astro-waiting.ts')])
    for (const pid of children()) process.kill(pid, 'SIGKILL')
    const before = { build: place.shown(), noted: place.noted() }
    await release(lake(), 'rHal', { landing: { heading: 'Hal’s heading' }, quiz: await quizWith('Hal’s question?') })
    await lake().releases.publish({ releaseId: 'rHal' })
    await expect.poll(() => place.isWriting(), built).toBe(true)
    const [builder = 0] = children()
    process.kill(builder, 'SIGKILL')
    await expect.poll(status, built).toMatchObject({
      state: 'broken',
      problems: [{ documentId: '', message: expect.stringContaining('could not be built') }],
    })
    expect({ build: place.shown(), noted: place.noted() }).toEqual(before)
    expect(await has('/', 'Hal’s heading')).toEqual([])
    expect(place.unfinished()).toEqual([])
    // by itself, after a while
    await expect.poll(() => has('/', 'Hal’s heading'), built).toEqual(['Hal’s heading'])
    expect(await has('/quiz', 'Hal’s question?')).toEqual(['Hal’s question?'])
    await expect.poll(status, built).toMatchObject({ state: 'live', problems: [] })
  })
})

/** Linux lists them; elsewhere this test has nothing to kill, and fails. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')

/** Releases as Sanity's own client makes, fills, publishes and schedules them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, testLake, TOKEN, type TestLake } from './fixture.ts'

let lake: TestLake
beforeAll(async () => {
  lake = await testLake()
})
afterAll(() => lake.stop())
beforeEach(async () => {
  await lake.client.delete({ query: '*' })
  for (const _id of ['a', 'b']) await lake.client.create({ _id, _type: 'page', title: `Published ${_id}` })
})

/** A release that changes `a`, adds `c` and takes `b` away. */
async function filled(releaseId = 'rSpring'): Promise<string> {
  const { client } = lake
  await client.releases.create({ releaseId, metadata: { title: 'Spring', releaseType: 'asap' } } as never)
  await client.createVersion({ baseId: 'a', releaseId, publishedId: 'a' } as never)
  await client.patch(`versions.${releaseId}.a`).set({ title: 'New a' }).commit()
  await client.createVersion({ document: { _id: `versions.${releaseId}.c`, _type: 'page', title: 'New c' } } as never)
  await client.unpublishVersion({ releaseId, publishedId: 'b' })
  return releaseId
}
const titles = (perspective: unknown) =>
  lake.client.fetch<Record<string, string>>('*[_type == "page"] | order(_id) {_id, title}', {}, {
    perspective,
  } as never)
const PUBLISHED = [
  { _id: 'a', title: 'Published a' },
  { _id: 'b', title: 'Published b' },
]
const RELEASED = [
  { _id: 'a', title: 'New a' },
  { _id: 'c', title: 'New c' },
]
const state = async (name: string) => (await lake.client.getDocument(`_.releases.${name}`)) as unknown as object
const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

test('the whole is seen as of a release, while everybody else sees what is published', async () => {
  const name = await filled()
  expect(await titles([name])).toEqual(RELEASED)
  expect(await titles('published')).toEqual(PUBLISHED)
  expect(await state(name)).toMatchObject({ name, state: 'active', metadata: { title: 'Spring', releaseType: 'asap' } })
  expect(await lake.anybody.fetch('count(*)')).toBe(2)
})

test('a release is published at once: one transaction changes, adds and takes away', async () => {
  const name = await filled()
  const seen: string[] = []
  const heard = lake.client
    .listen('*[_type == "page"]')
    .subscribe(
      (event) => event.type === 'mutation' && !event.documentId.includes('.') && seen.push(event.transactionId),
    )
  await new Promise((open) => setTimeout(open, 300))
  await lake.client.releases.publish({ releaseId: name })
  expect(await titles('published')).toEqual(RELEASED)
  expect(await state(name)).toMatchObject({ state: 'published', finalDocumentStates: [{}, {}, {}] })
  expect(await lake.client.fetch('count(*[_id in path("versions.**")])')).toBe(0)
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(3)
  expect(new Set(seen).size).toBe(1)
  heard.unsubscribe()
  expect((await failure(lake.client.releases.publish({ releaseId: name }))).status).toBe(409)
  await lake.client.releases.delete({ releaseId: name })
  expect(await lake.client.getDocument(`_.releases.${name}`)).toBeFalsy()
})

test('a scheduled release is published at its time, also when the lake was not running then', async () => {
  const name = await filled()
  await lake.client.releases.schedule({ releaseId: name, publishAt: soon(60_000) })
  expect(await state(name)).toMatchObject({ state: 'scheduled' })
  await lake.client.releases.unschedule({ releaseId: name })
  expect(await state(name)).toMatchObject({ state: 'active' })
  await lake.client.releases.schedule({ releaseId: name, publishAt: soon(1_500) })
  expect(await titles('published')).toEqual(PUBLISHED)
  await expect.poll(() => titles('published')).toEqual(RELEASED)
  expect(await state(name)).toMatchObject({ state: 'published' })

  const late = await filled2()
  await lake.client.releases.schedule({ releaseId: late, publishAt: soon(-1) })
  await lake.restart()
  expect(await state(late)).toMatchObject({ state: 'published' })
  expect((await lake.client.getDocument('a'))?.title).toBe('Even newer a')
})

/** A release that changes `a` alone. */
async function filled2(name = 'rLate', title = 'Even newer a'): Promise<string> {
  await lake.client.releases.create({ releaseId: name } as never)
  await lake.client.createVersion({ document: { _id: `versions.${name}.a`, _type: 'page', title } } as never)
  return name
}

test('what fell due while the lake was down is published in the order of its times, each in one step', async () => {
  // made in another order than they are due in
  const names = [await filled2('rThird', 'Third'), await filled2('rFirst', 'First'), await filled2('rSecond', 'Second')]
  const actionType = 'sanity.action.release.schedule' as const
  // all at once, so that they are due together however slow the machine is
  const minutesAgo = [1, 3, 2].map((minutes) => soon(-60_000 * minutes))
  await lake.client.action(names.map((releaseId, at) => ({ actionType, releaseId, publishAt: minutesAgo[at] ?? '' })))
  await lake.restart()
  const published = await lake.client.fetch<{ name: string; publishedAt: string; _rev: string }[]>(
    '*[_type == "system.release" && state == "published"] | order(publishedAt) {name, publishedAt, _rev}',
  )
  expect(published.map(({ name }) => name)).toEqual(['rFirst', 'rSecond', 'rThird'])
  const { title, _rev: shown } = (await lake.client.getDocument('a')) as { title: string; _rev: string }
  expect([title, shown]).toEqual(['Third', published.at(-1)?._rev])
  // scheduled and published in one transaction: cut off in between, it would never be published
  const history = `${lake.lake.url}/v2026-11-01/data/history/production/transactions/_.releases.rThird`
  const answer = await fetch(`${history}?excludeContent=true`, { headers: { Authorization: `Bearer ${TOKEN}` } })
  const transactions = (await answer.text()).trim().split('\n')
  // created, scheduled, published
  expect(transactions).toHaveLength(3)
})

test('what cannot be published is named and leaves everything as it was: nothing is half live', async () => {
  const name = await filled()
  const to = { _type: 'reference', _ref: 'nobody' }
  await lake.client
    .patch(`versions.${name}.c`)
    .set({ to: { ...to, _weak: true, _strengthenOnPublish: { type: 'page' } } })
    .commit()
  expect((await failure(lake.client.releases.publish({ releaseId: name }))).status).toBe(409)
  expect(await titles('published')).toEqual(PUBLISHED)
  await lake.client.releases.schedule({ releaseId: name, publishAt: soon(-1) })
  await expect.poll(() => state(name)).toMatchObject({ state: 'active', error: {} })
  expect(await titles('published')).toEqual(PUBLISHED)
})

test('two releases in one second: both whole, one after the other; an archived one publishes nothing', async () => {
  const [one, two] = [await filled('rOne'), await filled('rTwo')]
  await lake.client.patch('versions.rTwo.a').set({ title: 'Two' }).commit()
  await Promise.all([one, two].map((releaseId) => lake.client.releases.publish({ releaseId })))
  expect(['New a', 'Two']).toContain((await lake.client.getDocument('a'))?.title)
  const gone = await filled('rGone').catch(() => 'rGone')
  await lake.client.releases.archive({ releaseId: gone })
  expect(await lake.client.fetch('count(*[_id in path("versions.**")])')).toBe(0)
  expect((await failure(lake.client.releases.publish({ releaseId: gone }))).status).toBe(409)
})

test('a scheduled release is locked: nothing changes what it holds, until it is unscheduled', async () => {
  const name = await filled()
  const { client } = lake
  await client.releases.schedule({ releaseId: name, publishAt: soon(60_000) })
  const held = () => client.fetch<object[]>(`*[_id in path("versions.${name}.**")] | order(_id)`)
  const before = await held()
  const id = `versions.${name}.a`
  const late = { _type: 'page', title: 'Too late' }
  const attempts = [
    () => client.patch(id).set(late).commit(),
    () => client.delete(id),
    () => client.createOrReplace({ _id: id, ...late }),
    () => client.create({ _id: `versions.${name}.d`, ...late }),
    () => client.action({ actionType: 'sanity.action.document.version.discard', versionId: id }),
  ]
  for (const attempt of attempts) {
    const { status, body } = await failure(attempt())
    expect([status, body.error.description]).toEqual([
      409,
      expect.stringMatching(/locked: the release .* is scheduled/),
    ])
  }
  expect(await held()).toEqual(before)
  // what it does not hold is edited as ever
  await client.patch('a').set({ title: 'Published meanwhile' }).commit()
  await client.releases.unschedule({ releaseId: name })
  await client.patch(id).set({ title: 'In time' }).commit()
  await client.releases.publish({ releaseId: name })
  expect((await client.getDocument('a'))?.title).toBe('In time')
})

test('an archived release is brought back with what it held, and published', async () => {
  const name = await filled()
  const { client } = lake
  const held = () => client.fetch<object[]>(`*[_id in path("versions.${name}.**")] | order(_id) {_id, title, _system}`)
  const before = await held()
  await client.releases.archive({ releaseId: name })
  expect(await held()).toEqual([])
  await client.releases.unarchive({ releaseId: name })
  expect(await held()).toEqual(before)
  expect(await state(name)).toMatchObject({ state: 'active' })
  expect((await failure(client.releases.unarchive({ releaseId: name }))).status).toBe(409)
  await client.releases.publish({ releaseId: name })
  expect(await titles('published')).toEqual(RELEASED)
})

/** The sample content: imported once, updated while it is unedited, kept once someone has edited it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import sharp from 'sharp'
import { testLake, type TestLake } from './fixture.ts'

let seed = ''
let lake: TestLake | null = null
const write = (name: string, ...docs: unknown[]) =>
  writeFile(join(seed, name), docs.map((doc) => JSON.stringify(doc)).join('\n'))
beforeEach(async () => {
  seed = await mkdtemp(join(tmpdir(), 'lake-seed-'))
  await mkdir(join(seed, 'assets'))
  await sharp({ create: { width: 8, height: 4, channels: 3, background: '#123456' } })
    .webp()
    .toFile(join(seed, 'assets', 'a.webp'))
  await writeFile(join(seed, 'assets', 'day 1.wav'), 'RIFF')
  await write('1.ndjson', {
    _id: 'page',
    _type: 'page',
    list: [{ a: 1 }, { _key: 'given' }],
    image: { _type: 'image', alt: 'A', _sanityAsset: 'image@file://./assets/a.webp' },
    again: { _sanityAsset: 'image@file://./assets/a.webp' },
    audio: { _sanityAsset: 'file@file://./assets/day%201.wav' },
    to: { _type: 'reference', _ref: 'other' },
  })
  await write('2.ndjson', { _id: 'other', _type: 'page' }, { _id: 'programme.day1', _type: 'day' })
})
afterEach(async () => {
  await lake?.stop()
  lake = null
  await rm(seed, { recursive: true, force: true })
})

test('all files of the folder, with assets, keys and references', async () => {
  lake = await testLake({ seed })
  expect(lake.lake.seeded).toBe('imported')
  const page = (await lake.client.fetch(
    '*[_id == "page"][0]{..., "url": image.asset->url, "size": image.asset->metadata.dimensions, "audio": ' +
      'audio.asset->{mimeType, originalFilename}}',
  )) as Record<string, never>
  expect(page).toMatchObject({
    list: [{ a: 1, _key: expect.stringMatching(/^[0-9a-f]{12}$/) }, { _key: 'given' }],
    image: {
      _type: 'image',
      alt: 'A',
      asset: { _type: 'reference', _ref: expect.stringMatching(/^image-[0-9a-f]{40}-8x4-webp$/) },
    },
    again: { _type: 'image' },
    size: { width: 8, height: 4 },
    audio: { mimeType: 'audio/wav', originalFilename: 'day 1.wav' },
  })
  expect((await fetch(page.url as unknown as string)).headers.get('content-type')).toBe('image/webp')
  expect(await lake.client.fetch('count(*[_type match "sanity.*"])')).toBe(2)
})
test('unchanged: nothing happens; addresses of assets follow the port', async () => {
  lake = await testLake({ seed })
  await lake.restart()
  expect(lake.lake.seeded).toBe('unchanged')
  const url = await lake.anybody.fetch<string>('*[_id == "page"][0].image.asset->url')
  expect(url.startsWith(lake.lake.url)).toBe(true)
  expect((await fetch(url)).status).toBe(200)
})
test('changed and nobody has edited: the dataset becomes the new seed', async () => {
  lake = await testLake({ seed })
  await write('2.ndjson', { _id: 'other', _type: 'page', title: 'New' })
  await lake.restart()
  expect(lake.lake.seeded).toBe('renewed')
  expect(await lake.client.fetch('*[_type in ["page", "day"]] | order(_id){_id, title}')).toEqual([
    { _id: 'other', title: 'New' },
    { _id: 'page', title: null },
  ])
})
test('fresh lakes of one seed have the same revisions; a seed that comes back is imported again', async () => {
  const revisions = (one: TestLake) => one.client.fetch<{ _rev: string }[]>('*[] | order(_id){_id, _rev}')
  lake = await testLake({ seed })
  const first = await revisions(lake)
  const other = await testLake({ seed })
  expect(await revisions(other)).toEqual(first)
  await other.stop()
  await write('2.ndjson', { _id: 'other', _type: 'page', title: 'New' })
  await lake.restart()
  await write('2.ndjson', { _id: 'other', _type: 'page' }, { _id: 'programme.day1', _type: 'day' })
  await lake.restart()
  expect(lake.lake.seeded).toBe('renewed')
  expect(await lake.client.fetch('*[_type in ["page", "day"]] | order(_id){_id, title}')).toEqual(
    ['other', 'page', 'programme.day1'].map((_id) => ({ _id, title: null })),
  )
  expect(new Set((await revisions(lake)).map(({ _rev }) => _rev)).has(first[0]?._rev ?? '')).toBe(false)
})
test('changed after an edit: the edit stays', async () => {
  lake = await testLake({ seed })
  await lake.client.patch('page').set({ title: 'Mine' }).commit()
  await write('2.ndjson', { _id: 'other', _type: 'page', title: 'New' })
  await lake.restart()
  expect(lake.lake.seeded).toBe('kept-edits')
  expect(await lake.client.fetch('*[_id in ["page", "other"]] | order(_id).title')).toEqual([null, 'Mine'])
})
test('a broken seed names file and line, or the asset, and leaves nothing behind', async () => {
  await writeFile(join(seed, '3.ndjson'), '\n{"_id":"x",')
  await expect(testLake({ seed })).rejects.toThrow(/3\.ndjson:2 is not JSON/)
  await write('3.ndjson', { _id: 'page', _type: 'page' })
  await expect(testLake({ seed })).rejects.toThrow(/3\.ndjson:1 repeats the document page of .*1\.ndjson:1/)
  await write('3.ndjson', { _id: 'x', _type: 'page', image: { _sanityAsset: 'image@file://./assets/none.png' } })
  await expect(testLake({ seed })).rejects.toThrow(/none\.png is missing/)
  await write('3.ndjson', { _id: 'x', _type: 'page', to: { _ref: 'nobody' } })
  await expect(testLake({ seed })).rejects.toThrow(/"x" references non-existent document "nobody"/)
})
test('two lakes never share a data folder', async () => {
  lake = await testLake({ seed })
  const { startLake } = await import('./start.ts')
  await expect(startLake({ dataDir: lake.folder })).rejects.toThrow(/Another content lake is using/)
  await lake.restart()
  expect(lake.lake.seeded).toBe('unchanged')
})

/** Out through @sanity/export and in through @sanity/import: what the command line of Sanity does, with our client. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportDataset } from '@sanity/export'
import { sanityImport } from '@sanity/import'
import sharp from 'sharp'
import { testLake, type TestLake } from './fixture.ts'

let lake: TestLake
let folder = ''
beforeAll(async () => {
  lake = await testLake()
  folder = await mkdtemp(join(tmpdir(), 'lake-transfer-'))
})
afterAll(async () => {
  await lake.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a dataset goes out and comes back the same, with drafts, private documents and assets', async () => {
  const { client } = lake
  const png = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#abcdef' } })
    .png()
    .toBuffer()
  const image = await client.assets.upload('image', png, { filename: 'x.png' })
  const audio = await client.assets.upload('file', Buffer.from('RIFFsound'), { filename: 'x.wav' })
  const asset = (_ref: string) => ({ asset: { _type: 'reference', _ref } })
  await client
    .transaction()
    .create({
      _id: 'a',
      _type: 'page',
      to: { _type: 'reference', _ref: 'b' },
      image: { _type: 'image', ...asset(image._id) },
    })
    .create({
      _id: 'b',
      _type: 'page',
      list: [{ _key: 'k', back: { _type: 'reference', _ref: 'a' } }],
      audio: { _type: 'file', ...asset(audio._id) },
    })
    .create({ _id: 'drafts.b', _type: 'page', title: 'Draft' })
    .create({ _id: 'programme.day1', _type: 'day' })
    .commit()
  const archive = join(folder, 'out.tar.gz')
  const { documentCount, assetCount } = await exportDataset({
    client: client as never,
    dataset: 'production',
    outputPath: archive,
    compress: true,
  })
  expect([documentCount, assetCount]).toEqual([4, 2])
  expect(spawnSync('tar', ['xzf', archive, '-C', folder]).status).toBe(0)
  const unpacked = (await readdir(folder)).find((name) => name.startsWith('production-export')) as string

  await client.datasets.create('copy')
  expect((await client.datasets.list()).map(({ name }) => name)).toEqual(['copy', 'production'])
  const copy = client.withConfig({ dataset: 'copy' })
  const result = await sanityImport(join(folder, unpacked), { client: copy, operation: 'create' } as never)
  expect(result).toMatchObject({ numDocs: 4, warnings: [] })
  const all = '*[!(_type match "sanity.*")] | order(_id){..., "_rev": null, "_updatedAt": null, "_createdAt": null}'
  expect(await copy.fetch(all)).toEqual(await client.fetch(all))
  const url = await copy.fetch<string>('*[_id == "a"][0].image.asset->url')
  expect(url).toContain('/images/local0001/copy/')
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(png)).toBe(true)
  await client.datasets.delete('copy')
  await lake.restart()
  expect((await lake.client.datasets.list()).map(({ name }) => name)).toEqual(['production'])
})

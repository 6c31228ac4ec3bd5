/** The file behind a dataset: what a crash may leave, and what compaction keeps. */
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Dataset } from './dataset.ts'
import { Log } from './log.ts'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-log-'))
  path = join(folder, 'log.ndjson')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function records(): Promise<unknown[]> {
  const found: unknown[] = []
  await (await Log.open(path, (record) => found.push(record))).close()
  return found
}

test('a record cut off at any byte is dropped, the ones before it stay, and writing goes on after them', async () => {
  const log = await Log.open(path, () => {})
  await Promise.all([log.append({ n: 1 }), log.append({ n: 2, text: 'äöü\n' })])
  const good = (await readFile(path)).length
  await log.append({ n: 3 })
  await log.close()
  const whole = await readFile(path)
  for (let size = good; size < whole.length; size++) {
    await writeFile(path, whole)
    await truncate(path, size)
    expect(await records()).toEqual([{ n: 1 }, { n: 2, text: 'äöü\n' }])
    const again = await Log.open(path, () => {})
    await again.append({ n: 4 })
    await again.close()
    expect(await records()).toEqual([{ n: 1 }, { n: 2, text: 'äöü\n' }, { n: 4 }])
  }
})
test('garbage at the end is dropped, damage in the middle is refused', async () => {
  const log = await Log.open(path, () => {})
  for (const n of [1, 2, 3]) await log.append({ n })
  await log.close()
  const whole = await readFile(path, 'utf8')
  await appendFile(path, '\0\0\0\0')
  expect(await records()).toHaveLength(3)
  await writeFile(path, whole.replace('"n":1', '"n":7'))
  await expect(records()).rejects.toThrow(/is damaged at byte 0/)
})

const open = () => Dataset.open('d', folder, (doc) => doc)
const add = (dataset: Dataset, id: string, n: number) =>
  dataset.commit({ author: 'me', transactionId: `${id}-${n}` }, (work) =>
    work.apply('createOrReplace', { _id: id, _type: 't', n }),
  ).durable
const state = (dataset: Dataset) => [...dataset.docs()].sort((a, b) => (a._id < b._id ? -1 : 1))

test('the replayed state is the state: patches, deletes and history alike', async () => {
  const dataset = await open()
  await add(dataset, 'a', 1)
  await dataset.commit({ author: 'me' }, (work) => {
    work.apply('patch', { id: 'a', inc: { n: 4 }, set: { 'x.y': ['z'] } })
    work.apply('create', { _id: 'b', _type: 't' })
  }).durable
  await dataset.commit({ author: 'me' }, (work) => work.apply('delete', { id: 'b' })).durable
  const [docs, history] = [state(dataset), dataset.history]
  await dataset.close()
  const again = await open()
  expect(state(again)).toEqual(docs)
  expect(JSON.parse(JSON.stringify(again.history))).toEqual(JSON.parse(JSON.stringify(history)))
  await again.close()
})
test('compaction keeps every document and the newest transactions, also while writes go on', async () => {
  const dataset = await open()
  for (let n = 0; n < 50; n++) await add(dataset, `d${n % 7}`, n)
  const writes = Array.from({ length: 20 }, (_, n) => add(dataset, 'during', n))
  const compaction = dataset.compact(5)
  const more = Array.from({ length: 20 }, (_, n) => add(dataset, 'after', n))
  await Promise.all([...writes, compaction, ...more])
  const docs = state(dataset)
  await dataset.close()
  expect(docs).toHaveLength(9)
  const again = await open()
  expect(state(again)).toEqual(docs)
  expect(again.edited).toBe(true)
  expect(again.history.length).toBeGreaterThanOrEqual(5)
  expect(again.history.length).toBeLessThan(50)
  expect(again.baseOf('d0')).toMatchObject({ n: 49 })
  await again.close()
})
test('a compaction that was killed leaves the old file in force', async () => {
  const dataset = await open()
  await add(dataset, 'a', 1)
  await dataset.close()
  await writeFile(`${path}.new`, 'half a fi')
  const again = await open()
  expect(state(again)).toMatchObject([{ n: 1 }])
  await again.compact(0)
  await again.close()
  expect(state(await open())).toMatchObject([{ n: 1 }])
})

import { expect, test } from 'vitest'
import { createMicroBatch } from './micro-batch.ts'

const dbError = (code: string) => Object.assign(new Error(code), { code })
const make = (write: (items: readonly number[]) => Promise<number[]>, rest: object = {}) =>
  createMicroBatch<number, number>({
    write,
    most: 50,
    lanes: 1,
    worthwhile: 1,
    longest: 1_000,
    overloaded: () => new Error('full'),
    ...rest,
  })

test('D-08 what arrives together is written together, and everyone gets its own answer', async () => {
  const sizes: number[] = []
  const batch = make(async (items) => {
    sizes.push(items.length)
    await new Promise((done) => setTimeout(done, 5))
    return items.map((item) => item * 2)
  })
  expect(await Promise.all(Array.from({ length: 120 }, (_, n) => batch.add(n)))).toEqual(
    Array.from({ length: 120 }, (_, n) => n * 2),
  )
  expect(sizes).toEqual([50, 50, 20])
})

test('D-08 a second write begins beside the first for enough items only; fewer go when the first has ended', async () => {
  const writes: number[][] = []
  const ends: (() => void)[] = []
  const batch = make(
    async (items) => {
      writes.push([...items])
      await new Promise<void>((done) => ends.push(done))
      return [...items]
    },
    { lanes: 2, worthwhile: 3 },
  )
  const turn = () => new Promise((done) => setImmediate(() => setImmediate(done)))
  const all = [batch.add(1)]
  await turn()
  all.push(batch.add(2), batch.add(3))
  await turn()
  expect(writes).toEqual([[1]])
  all.push(batch.add(4))
  await turn()
  expect(writes).toEqual([[1], [2, 3, 4]])
  all.push(batch.add(5))
  ends[0]?.()
  ends[1]?.()
  await turn()
  await turn()
  expect(writes).toEqual([[1], [2, 3, 4], [5]])
  ends[2]?.()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5])
})

test('D-08 one bad row fails alone', async () => {
  const batch = make(async (items) => {
    if (items.includes(7)) throw dbError('22P05')
    return [...items]
  })
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => batch.add(n)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(results[7]?.status).toBe('rejected')
})

test('D-08 a collision is tried once more; a lost database fails the batch; a full queue says so', async () => {
  let tries = 0
  const collides = make(async (items) => {
    if (tries++ === 0) throw dbError('40P01')
    return [...items]
  })
  expect(await collides.add(1)).toBe(1)
  // two replicas made the same row: the second time it is there already
  tries = 0
  const made = make(async (items) => {
    if (tries++ === 0) throw dbError('23505')
    return [...items]
  })
  expect(await Promise.all([made.add(1), made.add(2)])).toEqual([1, 2])
  expect(tries).toBe(2)
  const away = make(() => Promise.reject(dbError('57P01')))
  expect((await Promise.allSettled([away.add(1), away.add(2)])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  const full = make(() => new Promise(() => undefined), { longest: 1 })
  void full.add(1)
  await expect(full.add(2)).rejects.toThrow('full')
})

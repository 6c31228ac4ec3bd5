import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createLog } from '../http/logging.ts'
import { runSteps, startLoop } from './loop.ts'

const log = createLog('silent')

test('D-11 a round that hangs is stuck after a minute; one that works through its items is not', async () => {
  let now = 0
  let item: () => void = () => undefined
  const loop = startLoop(
    'inbox',
    10,
    log,
    async (goOn) => {
      while (goOn()) await new Promise<void>((done) => (item = done))
      return false
    },
    () => now,
  )
  await pause(20)
  now = 59_000
  expect(loop.heartbeat()).toMatchObject({ secondsSince: 59, stuck: false })
  item()
  await pause(20)
  now = 100_000
  expect(loop.heartbeat()).toMatchObject({ secondsSince: 41, stuck: false })
  now = 120_000
  expect(loop.heartbeat()).toMatchObject({ secondsSince: 61, stuck: true, age: 61, overdue: 60 })
  const stopped = loop.stop()
  item()
  await stopped
})

test('D-11 rounds that fail again and again are no sign of life, however busy the loop is', async () => {
  let now = 0
  let broken = false
  const loop = startLoop(
    'poll',
    10,
    log,
    () => (broken ? Promise.reject(new Error('away')) : Promise.resolve(false)),
    () => now,
  )
  await pause(50)
  now = 100_000
  await expect.poll(() => loop.heartbeat().age).toBe(0)
  broken = true
  await pause(50)
  now = 200_000
  await pause(50)
  expect(loop.heartbeat()).toEqual({ secondsSince: 0, stuck: false, age: 100, overdue: 99 })
  await loop.stop()
})

test('D-11 rounds that do some items and then fail are overdue all the same, until one goes well', async () => {
  let now = 0
  let broken = true
  const loop = startLoop(
    'reconcile',
    10,
    log,
    (goOn) => {
      goOn()
      return broken ? Promise.reject(new Error('away')) : Promise.resolve(false)
    },
    () => now,
  )
  await pause(50)
  now = 100_000
  await pause(50)
  expect(loop.heartbeat()).toMatchObject({ age: 100, overdue: 99 })
  broken = false
  await expect.poll(() => loop.heartbeat().overdue).toBe(0)
  expect(loop.heartbeat().age).toBe(0)
  await loop.stop()
})

test('D-11 a loop whose pause is hours is overdue minutes after it began to fail, not hours', async () => {
  vi.useFakeTimers()
  try {
    let rounds = 0
    const loop = startLoop('partitions', 6 * 3_600_000, log, (goOn) => {
      if (++rounds === 1) return Promise.resolve(false)
      if (rounds % 2) goOn()
      return Promise.reject(new Error('away'))
    })
    // the first that fails is tried again before anybody is told
    await vi.advanceTimersByTimeAsync(6 * 3_600_000)
    expect([rounds, loop.heartbeat().overdue]).toEqual([2, 0])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([rounds, loop.heartbeat().overdue]).toEqual([3, 0])
    await vi.advanceTimersByTimeAsync(100_000)
    expect([rounds, loop.heartbeat().overdue]).toEqual([4, 100])
    const stopped = loop.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    await stopped
  } finally {
    vi.useRealTimers()
  }
})

test('D-11 a step that fails keeps none after it from its turn, and the round has failed', async () => {
  const done: number[] = []
  const step = (n: number, error?: Error) => () => {
    done.push(n)
    return error ? Promise.reject(error) : Promise.resolve()
  }
  const steps = [step(1), step(2, new Error('first')), step(3), step(4, new Error('second')), step(5)]
  await expect(runSteps(log, steps)).rejects.toThrow('first')
  expect(done).toEqual([1, 2, 3, 4, 5])
  expect(await runSteps(log, [step(6)])).toBe(false)
})

test('N-03 a stop ends a round between two items, and there is no further one', async () => {
  let done = 0
  let rounds = 0
  const loop = startLoop('reconcile', 1, log, async (goOn) => {
    rounds++
    for (let n = 0; n < 1_000 && goOn(); n++) {
      await pause(5)
      done++
    }
    return true
  })
  await pause(60)
  const before = done
  await loop.stop()
  expect([rounds, done - before <= 1, loop.heartbeat().secondsSince]).toEqual([1, true, 0])
})

test('D-11 a round that failed is tried again after a minute, also where the pause is hours', async () => {
  vi.useFakeTimers()
  try {
    let rounds = 0
    const loop = startLoop('partitions', 6 * 3_600_000, log, () =>
      ++rounds === 2 ? Promise.reject(new Error('away')) : Promise.resolve(false),
    )
    await vi.advanceTimersByTimeAsync(6 * 3_600_000)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(rounds).toBe(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect([rounds, loop.heartbeat().overdue]).toEqual([3, 0])
    const stopped = loop.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    await stopped
  } finally {
    vi.useRealTimers()
  }
})

test('D-11 what wakes a loop during its round is gathered for the next one, as between two rounds', async () => {
  vi.useFakeTimers()
  try {
    const start = Date.now()
    const began: number[] = []
    const loop = startLoop('inbox', 60_000, log, async () => {
      began.push(Date.now() - start)
      await new Promise((done) => setTimeout(done, 100))
      return false
    })
    await vi.advanceTimersByTimeAsync(50)
    loop.wake()
    await vi.advanceTimersByTimeAsync(200)
    loop.wake()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(began).toEqual([0, 300])
    const stopped = loop.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    await stopped
  } finally {
    vi.useRealTimers()
  }
})

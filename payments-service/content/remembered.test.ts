import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { remembered } from './remembered.ts'

const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  // the next test file has the same process
  onTestFinished(() => void vi.useRealTimers())
})

/** A source whose answers are given by hand, read through what is remembered. */
function source() {
  const asked: { answer: (value: string) => void; fail: () => void }[] = []
  const errors: unknown[] = []
  const read = remembered(
    MINUTE,
    () =>
      new Promise<string>((answer, refuse) => void asked.push({ answer, fail: () => refuse(new Error('no answer')) })),
    (error) => errors.push(error),
  )
  return { asked, errors, read }
}

/** A source that answered once, a minute ago. */
async function known() {
  const made = source()
  const first = made.read()
  made.asked[0]?.answer('known')
  expect(await first).toBe('known')
  await vi.advanceTimersByTimeAsync(MINUTE)
  return made
}

/** What a reader has got by now. */
function readingOf(read: () => Promise<string>): { got?: string } {
  const reading: { got?: string } = {}
  void read().then((value) => (reading.got = value))
  return reading
}

test('N-03 A-05 a source that hangs holds readers up for a second in all; they get what is known', async () => {
  const { asked, errors, read } = await known()
  const [one, another] = [readingOf(read), readingOf(read)]
  await vi.advanceTimersByTimeAsync(900)
  expect([one, another]).toEqual([{}, {}])
  await vi.advanceTimersByTimeAsync(100)
  expect([one, another]).toEqual([{ got: 'known' }, { got: 'known' }])
  // whoever comes while it still hangs does not wait again
  const later = readingOf(read)
  await vi.advanceTimersByTimeAsync(0)
  expect(later).toEqual({ got: 'known' })
  expect(asked).toHaveLength(2)

  // its answer counts, however late it comes
  asked[1]?.answer('new')
  await vi.advanceTimersByTimeAsync(0)
  expect(await read()).toBe('new')
  expect([asked.length, errors]).toEqual([2, []])
})

test('N-03 A-05 a source that failed is asked again ten seconds later, and each failure is told once', async () => {
  const { asked, errors, read } = await known()
  const readings = [readingOf(read), readingOf(read)]
  asked[1]?.fail()
  await vi.advanceTimersByTimeAsync(0)
  expect(readings).toEqual([{ got: 'known' }, { got: 'known' }])
  await vi.advanceTimersByTimeAsync(9_000)
  const meanwhile = readingOf(read)
  await vi.advanceTimersByTimeAsync(0)
  expect(meanwhile).toEqual({ got: 'known' })
  expect([asked.length, errors]).toEqual([2, [new Error('no answer')]])
  await vi.advanceTimersByTimeAsync(1_000)
  const again = readingOf(read)
  expect(asked).toHaveLength(3)
  asked[2]?.answer('new')
  await vi.advanceTimersByTimeAsync(0)
  expect(again).toEqual({ got: 'new' })
})

test('K-03 a change shows with the first read after the minute; without a value, readers wait', async () => {
  const { asked, read } = await known()
  const first = readingOf(read)
  asked[1]?.answer('changed')
  await vi.advanceTimersByTimeAsync(0)
  expect(first).toEqual({ got: 'changed' })
  expect(await read()).toBe('changed')

  const never = source()
  const refused = Promise.all([never.read(), never.read()].map((reading) => reading.catch(String)))
  await vi.advanceTimersByTimeAsync(5_000)
  never.asked[0]?.fail()
  expect(await refused).toEqual(['Error: no answer', 'Error: no answer'])
  void never.read().catch(() => undefined)
  expect([never.asked.length, never.errors]).toEqual([2, []])
})

import { expect, test } from 'vitest'
import { loadOnce } from './load-once.ts'

test('N-03 what could not be loaded is loaded by the next caller, and then kept', async () => {
  let tries = 0
  const load = loadOnce(() =>
    ++tries === 1 ? Promise.reject(new Error('too many open files')) : Promise.resolve(tries),
  )
  const first = await Promise.allSettled([load(), load()])
  expect([first.map(({ status }) => status), tries]).toEqual([['rejected', 'rejected'], 1])
  expect([await load(), await load(), tries]).toEqual([2, 2, 2])
})

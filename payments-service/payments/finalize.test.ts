import { expect, test } from 'vitest'
import type { Deps } from '../deps.ts'
import { settleInTime } from './finalize.ts'

/** A settlement that the test lets fail, with what is logged about it. */
function settling(left: number) {
  let fail: (error: Error) => void = () => undefined
  const work = new Promise<never>((_, reject) => (fail = reject))
  const logged: unknown[] = []
  const log = { warn: (fields: unknown) => logged.push(fields) } as unknown as Deps['log']
  const deps = { flights: { run: () => work } } as unknown as Deps
  const deadline = { left } as Parameters<typeof settleInTime>[1]['deadline']
  return { answer: settleInTime(deps, { deadline, log }, 'pi_1'), logged, fail, over: work.catch(() => undefined) }
}

test('P-04 settling that fails after its answer is in the log, and ends nothing', async () => {
  const { answer, logged, fail, over } = settling(0)
  expect(await answer).toBe('late')
  const error = new Error('the row is gone')
  fail(error)
  await over
  expect(logged).toEqual([{ err: error }])
})

test('P-04 settling that fails before its answer is the answer, and not told twice', async () => {
  const { answer, logged, fail } = settling(3_600_000)
  fail(new Error('the row is gone'))
  await expect(answer).rejects.toThrow('the row is gone')
  expect(logged).toEqual([])
})

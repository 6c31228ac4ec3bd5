import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

test('a caller who comes during a run shares the next one, never an answer older than the question', async () => {
  const flights = createSingleFlight()
  let state = 0
  let runs = 0
  const look = async () => {
    runs += 1
    const seen = state
    await new Promise((resume) => setTimeout(resume, 10))
    return seen
  }
  const first = flights.run('a', look)
  state = 1
  const rest = Array.from({ length: 30 }, () => flights.run('a', look))
  expect(await first).toBe(0)
  expect(new Set(await Promise.all(rest))).toEqual(new Set([1]))
  expect(runs).toBe(2)
})

test('a failed run fails its own callers only', async () => {
  const flights = createSingleFlight()
  const first = flights.run('a', () => Promise.reject(new Error('no')))
  const second = flights.run('a', () => Promise.resolve('yes'))
  await expect(first).rejects.toThrow('no')
  expect(await second).toBe('yes')
  expect(await flights.run('a', () => Promise.resolve('again'))).toBe('again')
})

import { expect, test } from 'vitest'
import { leadsTo } from './leads-to.ts'

const keys = ['a', 'b', 'c']

test('Q-03 K-05 a step leads to the one below, to one by its key or number, to a path, and else nowhere', () => {
  const places = (next: string | null, index = 0) => leadsTo(next, index, keys)
  expect([places(null), places('', 1), places(null, 2)]).toEqual([2, 3, undefined])
  expect([places('#c'), places('#a', 2), places('#gone'), places('#')]).toEqual([3, 1, undefined, undefined])
  expect([places('1'), places('3'), places('0'), places('4'), places('3.5')]).toEqual([1, 3, ...Array(3)])
  expect([places('/checkout'), places('//elsewhere'), places('/'), places('c')]).toEqual(['/checkout', ...Array(3)])
  // the step that is meant, wherever it is moved
  expect(leadsTo('#c', 0, ['a', 'c', 'b'])).toBe(2)
})

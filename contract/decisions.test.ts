import { describe, expect, test } from 'vitest'
import { bestSum, Decisions, TooManyNodes, type Node } from './decisions.ts'

/** Three choices with two or three values, and all ways to make them. */
const SIZES = [2, 3, 2]
const ways = SIZES.reduce<number[][]>(
  (made, size) => made.flatMap((way) => Array.from({ length: size }, (_, value) => [...way, value])),
  [[]],
)

/** The function that says `value` of each way. */
function table(decisions: Decisions, value: (way: readonly number[]) => number, made: number[] = []): Node {
  const size = SIZES[made.length]
  if (size === undefined) return decisions.constant(value(made))
  const branches = Array.from({ length: size }, (_, n) => table(decisions, value, [...made, n]))
  return decisions.choice(made.length, branches)
}
const at = (decisions: Decisions, node: Node, way: readonly number[]): number =>
  decisions.valueOf(decisions.with(new Map(way.entries()), node))
const asked = (decisions: Decisions, node: Node): number[] => [...decisions.choicesOf(node)].sort()

/** Conditions: the first choice, the others agree, the second one of two, always, never. */
const CONDITIONS: ((way: readonly number[]) => number)[] = [
  ([a = 0]) => a,
  ([, b, c]) => Number(b === c),
  ([, b]) => Number(b !== 1),
  () => 1,
  () => 0,
]

describe('functions of choices', () => {
  test('K-05 and, or, but not: what both say of every way', () => {
    const decisions = new Decisions()
    for (const one of CONDITIONS) {
      for (const other of CONDITIONS) {
        const [a, b] = [table(decisions, one), table(decisions, other)]
        for (const way of ways) {
          const [x, y] = [one(way) === 1, other(way) === 1]
          expect(at(decisions, decisions.apply('and', a, b), way) === 1).toBe(x && y)
          expect(at(decisions, decisions.apply('or', a, b), way) === 1).toBe(x || y)
          expect(at(decisions, decisions.apply('andNot', a, b), way) === 1).toBe(x && !y)
        }
      }
    }
  })

  test('K-05 sums, and the higher and the lower of two', () => {
    const decisions = new Decisions()
    const one = ([a = 0, b = 0]: readonly number[]) => 10 * a + b
    const other = ([, b = 0, c = 0]: readonly number[]) => 4 * c - b
    const [a, b] = [table(decisions, one), table(decisions, other)]
    for (const way of ways) {
      expect(at(decisions, decisions.apply('plus', a, b), way)).toBe(one(way) + other(way))
      expect(at(decisions, decisions.apply('max', a, b), way)).toBe(Math.max(one(way), other(way)))
      expect(at(decisions, decisions.apply('min', a, b), way)).toBe(Math.min(one(way), other(way)))
    }
  })

  test('K-05 equal functions are one, however they were made', () => {
    const decisions = new Decisions()
    const [a, b] = [table(decisions, ([one = 0]) => one), table(decisions, ([, two]) => Number(two === 2))]
    expect(decisions.apply('and', a, b)).toBe(decisions.apply('and', b, a))
    expect(decisions.apply('or', a, decisions.apply('andNot', decisions.always, a))).toBe(decisions.always)
    expect(decisions.apply('andNot', b, b)).toBe(decisions.never)
    expect(table(decisions, () => 7)).toBe(decisions.constant(7))
    expect(decisions.apply('and', a, decisions.always)).toBe(a)
  })

  test('K-05 a function asks only for the choices that matter to it', () => {
    const decisions = new Decisions()
    expect(
      asked(
        decisions,
        table(decisions, ([a = 0, , c = 0]) => a + c),
      ),
    ).toEqual([0, 2])
    expect(asked(decisions, decisions.always)).toEqual([])
    expect(decisions.valueOf(table(decisions, ([a = 0]) => a))).toBeNaN()
    expect(decisions.valueOf(decisions.constant(3))).toBe(3)
  })

  test('K-05 the best over a choice no longer asks for it', () => {
    const decisions = new Decisions()
    const value = ([a = 0, b = 0, c = 0]: readonly number[]) => (b === 1 ? 5 : b) + 10 * a - 3 * c * b
    const node = table(decisions, value)
    for (const best of ['min', 'max'] as const) {
      const without = decisions.without(node, 1, best)
      expect(asked(decisions, without)).toEqual([0, 2])
      for (const [a = 0, , c = 0] of ways) {
        const values = [0, 1, 2].map((b) => value([a, b, c]))
        expect(at(decisions, without, [a, 0, c])).toBe(Math[best](...values))
      }
    }
    expect(decisions.without(node, 3, 'max')).toBe(node)
  })

  test('K-05 an example makes a condition true; what can never be has none', () => {
    const decisions = new Decisions()
    for (const holds of CONDITIONS) {
      const node = table(decisions, holds)
      const example = decisions.example(node)
      if (node === decisions.never) expect(example).toBeUndefined()
      else expect(decisions.with(example ?? new Map(), node)).toBe(decisions.always)
    }
    expect(decisions.example(decisions.always)).toEqual(new Map())
  })

  test('K-05 what a function says once its first choice is made', () => {
    const decisions = new Decisions()
    const node = table(decisions, ([a = 0, b = 0]) => 10 * a + b)
    expect(decisions.valuesOf(node, 0)).toEqual([0, 1].map((a) => table(decisions, ([, b = 0]) => 10 * a + b)))
    expect(decisions.valuesOf(node, 1)).toEqual([node])
    expect(decisions.with(new Map([[1, 2]]), node)).toBe(node)
  })

  test('K-05 functions that depend on each other in too many ways are given up, not computed for ever', () => {
    const decisions = new Decisions()
    const most = 150_000
    // never and always are there already
    for (let value = 2; value < most; value++) decisions.constant(value)
    expect(() => decisions.constant(most)).toThrow(TooManyNodes)
    expect(() => new Decisions().constant(most)).not.toThrow()
    expect(decisions.constant(most - 1)).toBe(most - 1)
  })
})

describe('the best sum of functions', () => {
  const functions: ((way: readonly number[]) => number)[] = [
    ([a = 0, b = 0]) => 3 * a - b * b,
    ([, b = 0, c = 0]) => (b === 2 ? 6 : b) * (c + 1),
    ([a = 0, , c = 0]) => (a === c ? 0 : 4),
    () => 100,
  ]

  test.each(['min', 'max'] as const)('K-05 the %s of all ways, and choices that make it', (best) => {
    for (let count = 0; count <= functions.length; count++) {
      const some = functions.slice(0, count)
      const sumOf = (way: readonly number[]): number => some.reduce((sum, one) => sum + one(way), 0)
      const decisions = new Decisions()
      const nodes = some.map((one) => table(decisions, one))
      const { sum, choices } = bestSum(decisions, nodes, best)
      expect(sum).toBe(Math[best](...ways.map(sumOf)))
      expect(sumOf(SIZES.map((_, choice) => choices.get(choice) ?? 0))).toBe(sum)
    }
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAMPAIGN_KEYS, holds, OPERATORS, type Condition, type Known, type Leaf, type Operator } from './condition.ts'
import { AGE_GROUPS } from './ages.ts'
import type { Question } from './quiz-choices.ts'
import { entangledQuiz } from './quiz-paths.fixture.ts'
import { provePaths, type PathFault, type PathStep } from './quiz-paths.ts'
import { walk } from './quiz-walk.ts'

/** What the proof must say, found by walking once for every combination of answers. */
function byHand(steps: readonly PathStep[]): { faults: Set<string>; shortest: number; longest: number } {
  const faults = new Set<string>()
  const shown = new Set<number>()
  const visited = new Set<number>()
  const early = new Map<string, boolean>()
  let [shortest, longest] = [Infinity, 0]
  for (const answers of combinations(steps)) {
    const known: Record<string, unknown> = {}
    for (const key of ['ageGroup', ...CAMPAIGN_KEYS]) known[key] = answers[key]
    const here: number[] = []
    const seen: number[] = []
    for (let place: number | string = 1; typeof place === 'number';) {
      if (here.includes(place)) {
        faults.add(`loop ${place}`)
        break
      }
      here.push(place)
      visited.add(place)
      const step: PathStep = steps[place - 1] as PathStep
      for (const { key } of leaves(step.showIf)) {
        const asked = steps.some(({ asks }) => asks?.storageKey === key)
        if (asked) early.set(`too_late ${place} ${key}`, early.get(`too_late ${place} ${key}`) === true || key in known)
      }
      if (step.showIf && !holds(step.showIf, known)) {
        if (place === steps.length) {
          faults.add(`dead_end ${place}`)
          break
        }
        place += 1
        continue
      }
      for (const needed of step.needs) if (!seen.includes(needed)) faults.add(`needs ${place} ${needed}`)
      seen.push(place)
      shown.add(place)
      if (step.asks) known[step.asks.storageKey] = answers[step.asks.storageKey]
      if (typeof step.next === 'string' && !step.ends) faults.add(`early_exit ${place}`)
      place = step.next
    }
    shortest = Math.min(shortest, seen.length)
    longest = Math.max(longest, seen.length)
  }
  for (const [fault, known] of early) if (!known) faults.add(fault)
  if (![...faults].some((fault) => fault.startsWith('loop'))) {
    steps.forEach((_, index) => {
      if (!visited.has(index + 1)) faults.add(`unreachable ${index + 1}`)
      else if (!shown.has(index + 1)) faults.add(`never_shown ${index + 1}`)
    })
  }
  return { faults, shortest, longest }
}

const leaves = (condition: Condition | undefined): readonly Leaf[] => {
  if (!condition) return []
  return 'key' in condition ? [condition] : ('all' in condition ? condition.all : condition.any).flatMap(leaves)
}

function* combinations(steps: readonly PathStep[]): Generator<Known> {
  const asked = new Map<string, readonly unknown[]>()
  const used = steps.flatMap(({ showIf }) => leaves(showIf))
  for (const { key, values } of used) {
    if (key === 'ageGroup') asked.set(key, [undefined, ...AGE_GROUPS])
    if (key.startsWith('utm')) asked.set(key, [...new Set([undefined, 'other', ...(asked.get(key) ?? []), ...values])])
  }
  for (const { asks } of steps) {
    if (!asks) continue
    const { storageKey, values, many, optional } = asks
    const sets = values.reduce<string[][]>((all, value) => [...all, ...all.map((set) => [...set, value])], [[]])
    const one = optional ? [undefined, ...values] : values
    asked.set(storageKey, many ? sets.filter((set) => optional || set.length > 0) : one)
  }
  const keys = [...asked.keys()]
  function* from(index: number, answers: Record<string, unknown>): Generator<Known> {
    const key = keys[index]
    if (key === undefined) return yield { ...answers }
    for (const value of asked.get(key) ?? []) yield* from(index + 1, { ...answers, [key]: value })
  }
  yield* from(0, {})
}

const named = ({ kind, place, needed, key }: PathFault): string =>
  [kind, place, needed ?? key].filter((part) => part !== undefined).join(' ')

const KEYS = ['q1', 'q2', 'q3']
const leaf = fc
  .oneof(
    {
      weight: 6,
      arbitrary: fc.record({ key: fc.constantFrom(...KEYS), values: fc.subarray(['a', 'b', 'c'], { minLength: 1 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ key: fc.constant('ageGroup'), values: fc.subarray([...AGE_GROUPS], { minLength: 1 }) }),
    },
    { weight: 1, arbitrary: fc.record({ key: fc.constant('utm_source'), values: fc.constant(['blog']) }) },
  )
  .chain((one) => fc.constantFrom(...OPERATORS).map((operator): Condition => ({ ...one, operator })))
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all) => ({ all })) },
  { weight: 1, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((any) => ({ any })) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf, leaf).map(([a, b, c]) => ({ all: [a, { any: [b, c] }] })) },
)
/**
 * Up to seven steps with up to three questions, in any order; now and then one leads elsewhere, back too. Half of them
 * are drawn with care, as editors would: else few are sound, and only those have lengths to compare.
 */
const graph: fc.Arbitrary<PathStep[]> = fc.integer({ min: 2, max: 7 }).chain((count) =>
  fc
    .tuple(
      fc.boolean(),
      fc.shuffledSubarray(KEYS),
      fc.array(
        fc.record({
          showIf: fc.option(condition, { nil: undefined, freq: 2 }),
          to: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: count }) }),
          leaves: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
          question: fc.record({ size: fc.integer({ min: 1, max: 3 }), many: fc.boolean(), optional: fc.boolean() }),
          needs: fc.option(fc.integer({ min: 1, max: count }), { nil: undefined, freq: 4 }),
        }),
        { minLength: count, maxLength: count },
      ),
    )
    .map(([careful, keys, drawn]) =>
      drawn.map(({ showIf, to, leaves: out, question, needs }, index): PathStep => {
        const last = index === count - 1
        const asked = keys.slice(0, index)
        const answered = leaves(showIf).every(({ key }) => !key.startsWith('q') || asked.includes(key))
        const shown = index === 0 || (careful && (last || !answered)) ? undefined : showIf
        // past the next only from a step that is not for everybody
        const past = careful && (to <= index + 1 || !shown) ? 0 : to
        const storageKey = last ? undefined : keys[index]
        const { size, many, optional } = question
        const asks: Question | undefined =
          storageKey === undefined ? undefined : { storageKey, values: ['a', 'b', 'c'].slice(0, size), many, optional }
        return {
          next: last || (out && !careful) ? '/checkout' : past === 0 ? index + 2 : past,
          showIf: shown,
          asks,
          ends: last,
          needs: needs === undefined || (careful && (needs > index || drawn[needs - 1]?.showIf)) ? [] : [needs],
        }
      }),
    ),
)

const glasses = (...values: string[]): { showIf: Condition } => ({ showIf: { key: 'glasses', operator: 'is', values } })
const step = (next: number | string, change: Partial<PathStep> = {}): PathStep => ({
  next,
  ends: false,
  needs: [],
  ...change,
})
const asks = (storageKey: string, change: Partial<Question> = {}): { asks: Question } => ({
  asks: { storageKey, values: ['yes', 'no'], many: false, optional: false, ...change },
})
const END = step('/checkout', { ends: true })

describe('what is wrong with a way, and who would notice', () => {
  test('K-05 a sound quiz: its shortest and its longest way, each with answers that make it', () => {
    const steps = [step(2, asks('glasses')), step(3, glasses('yes')), END]
    expect(provePaths(steps)).toEqual({
      faults: [],
      shortest: { steps: 2, answers: { glasses: 'no' } },
      longest: { steps: 3, answers: { glasses: 'yes' } },
    })
    expect(provePaths([step(2), END])).toEqual({
      faults: [],
      shortest: { steps: 2, answers: {} },
      longest: { steps: 2, answers: {} },
    })
  })

  test('K-05 several answers: at least one is chosen, unless none is allowed', () => {
    const shown: Condition = { key: 'glasses', operator: 'isNot', values: ['yes', 'no'] }
    const quiz = (optional: boolean) => [
      step(2, asks('glasses', { many: true, optional })),
      step(3, { showIf: shown }),
      END,
    ]
    expect(provePaths(quiz(false)).faults).toEqual([{ kind: 'never_shown', place: 2 }])
    expect(provePaths(quiz(true))).toEqual({
      faults: [],
      shortest: { steps: 2, answers: { glasses: ['yes'] } },
      longest: { steps: 3, answers: { glasses: [] } },
    })
  })

  test('K-05 nobody chooses none of several answers, so that is neither the shortest way nor the longest', () => {
    const quiz = (operator: Operator) => {
      const shown = (value: string) =>
        step(value === 'yes' ? 3 : 4, { showIf: { key: 'glasses', operator, values: [value] } })
      return [step(2, asks('glasses', { many: true })), shown('yes'), shown('no'), END]
    }
    expect(provePaths(quiz('contains'))).toMatchObject({ faults: [], shortest: { steps: 3 }, longest: { steps: 4 } })
    expect(provePaths(quiz('isNot'))).toMatchObject({ faults: [], shortest: { steps: 2 }, longest: { steps: 3 } })
  })

  test('K-05 a circle for some, and who walks it', () => {
    const steps = [step(2, asks('glasses')), step(1, glasses('yes')), END]
    expect(provePaths(steps)).toEqual({ faults: [{ kind: 'loop', place: 1, answers: { glasses: 'yes' } }] })
  })

  test('K-05 a last step that is hidden from some leaves them nowhere', () => {
    const steps = [step(2, asks('glasses')), { ...END, ...glasses('no') }]
    expect(provePaths(steps).faults).toEqual([{ kind: 'dead_end', place: 2, answers: { glasses: 'yes' } }])
  })

  test('K-05 a way out before the end', () => {
    const steps = [step(2, asks('glasses')), step('/', glasses('no')), END]
    expect(provePaths(steps).faults).toEqual([{ kind: 'early_exit', place: 2, answers: { glasses: 'no' } }])
  })

  test('K-05 a step that nobody comes to, and one that shows itself to nobody', () => {
    expect(provePaths([step(3), step(3), END]).faults).toEqual([{ kind: 'unreachable', place: 2 }])
    const both = { showIf: { all: [glasses('yes').showIf, glasses('no').showIf] } }
    expect(provePaths([step(2, asks('glasses')), step(3, both), END]).faults).toEqual([
      { kind: 'never_shown', place: 2 },
    ])
  })

  test('K-05 a step shown without the one that it needs', () => {
    const steps = [step(2, asks('glasses')), step(3, glasses('yes')), step(4, { needs: [1, 2] }), END]
    expect(provePaths(steps).faults).toEqual([{ kind: 'needs', place: 3, needed: 2, answers: { glasses: 'no' } }])
  })

  test('K-05 a condition that looks at a question nobody has been asked yet', () => {
    const steps = [step(2), step(3, glasses('no')), step(4, asks('glasses')), END]
    expect(provePaths(steps).faults).toEqual([
      { kind: 'too_late', place: 2, key: 'glasses' },
      { kind: 'never_shown', place: 2 },
    ])
    // asked of some, on their way there: not too late
    const branch = [step(2, asks('glasses')), step(3, { ...glasses('yes'), ...asks('since') })]
    const after: Condition = { key: 'since', operator: 'isNot', values: ['no'] }
    expect(provePaths([...branch, step(4, { showIf: after }), END]).faults).toEqual([])
  })
})

describe('K-05 every way through the quiz, proved', () => {
  test('K-05 the proof says what walking once for every combination of answers says', () => {
    const runs = Number(process.env['GRAPHS'] ?? 1_000)
    let compared = 0
    fc.assert(
      fc.property(graph, (steps) => {
        const { faults, shortest, longest } = provePaths(steps)
        const hand = byHand(steps)
        expect(new Set(faults.map(named))).toEqual(hand.faults)
        if (hand.faults.size > 0) return
        expect([shortest?.steps, longest?.steps]).toEqual([hand.shortest, hand.longest])
        if (hand.shortest < hand.longest) compared += 1
        // the example is a visitor whose way is as long
        for (const length of [shortest, longest]) {
          const places = walk(steps.map(walked), arrival(length?.answers), length?.answers ?? {}).places
          expect(places).toHaveLength(length?.steps ?? -1)
        }
      }),
      { numRuns: runs },
    )
    // sound ones with ways of different lengths; fewer and the lengths are hardly compared
    expect(compared).toBeGreaterThan(runs / 20)
  })

  test('K-05 60 steps with 40 conditions that look at each other’s answers are proved, not refused', () => {
    for (const seed of [2, 3, 7, 11, 13]) {
      const { faults, shortest, longest } = provePaths(entangledQuiz(seed))
      expect([faults, (shortest?.steps ?? 0) >= 20, (longest?.steps ?? 0) > 40]).toEqual([[], true, true])
    }
  })
})

const walked = ({ next, showIf, asks }: PathStep) => ({
  next,
  showIf,
  ...(asks ? { storageKey: asks.storageKey } : {}),
})
const arrival = (answers: Known = {}): Known =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => !KEYS.includes(key)))

import { describe, expect, test } from 'vitest'
import type { Condition } from './condition.ts'
import { hasConditions, mostAfter, shownFrom, walk, type WalkStep } from './quiz-walk.ts'

const when = (key: string, ...values: string[]): Condition => ({ key, operator: 'is', values })

/** 1 asks for glasses; 2 asks on, 3 answers, both for those who wear them; 4 for 60+ alone; 5 the price. */
const STEPS: WalkStep[] = [
  { next: 2, storageKey: 'glasses' },
  { next: 3, storageKey: 'since', showIf: when('glasses', 'yes') },
  { next: 4, showIf: when('since', 'birth') },
  { next: 5, showIf: when('ageGroup', '60+') },
  { next: '/checkout' },
]

describe('a visitor’s way', () => {
  test('Q-04 a hidden step is passed over to the one below it', () => {
    expect(shownFrom(STEPS, 2, { glasses: 'yes' })).toBe(2)
    expect(shownFrom(STEPS, 2, { glasses: 'no', ageGroup: '60+' })).toBe(4)
    expect(shownFrom(STEPS, 2, { glasses: 'no' })).toBe(5)
    expect(shownFrom(STEPS, '/checkout', {})).toBe('/checkout')
  })

  test('Q-04 the last step is shown to everybody', () => {
    const closed: WalkStep[] = [{ next: 2 }, { next: '/checkout', showIf: when('glasses', 'yes') }]
    expect(shownFrom(closed, 2, {})).toBe(2)
  })

  test('Q-02 the way is the steps shown, and only their answers count', () => {
    const answers = { glasses: 'no', since: 'birth' }
    expect(walk(STEPS, { ageGroup: '60+' }, answers)).toEqual({
      places: [1, 4, 5],
      known: { ageGroup: '60+', glasses: 'no' },
    })
    expect(walk(STEPS, {}, { ...answers, glasses: 'yes' })).toEqual({
      places: [1, 2, 3, 5],
      known: { glasses: 'yes', since: 'birth' },
    })
  })

  test('Q-02 the way up to a step leaves the answer of that step out', () => {
    expect(walk(STEPS, {}, { glasses: 'yes', since: 'birth' }, 2)).toEqual({
      places: [1, 2],
      known: { glasses: 'yes' },
    })
  })

  test('K-05 a circle ends where it closes', () => {
    const circle: WalkStep[] = [{ next: 2 }, { next: 1 }, { next: '/checkout' }]
    expect(walk(circle, {}, {}).places).toEqual([1, 2])
  })

  test('Q-04 a first step with a condition of its own may be passed over', () => {
    const young: WalkStep[] = [{ next: 2, showIf: when('ageGroup', '18-29') }, { next: '/checkout' }]
    expect(walk(young, { ageGroup: '60+' }, {}).places).toEqual([2])
  })

  test('Q-03 a quiz has conditions as soon as one of its steps has one', () => {
    expect([hasConditions(STEPS), hasConditions(STEPS.slice(4)), hasConditions([])]).toEqual([true, false, false])
  })
})

describe('how many steps can still come', () => {
  test('Q-03 what is not answered yet may bring every step; what is known brings its own alone', () => {
    expect(mostAfter(STEPS, 1, { ageGroup: '60+' })).toBe(4)
    expect(mostAfter(STEPS, 1, { ageGroup: '18-29' })).toBe(3)
    expect(mostAfter(STEPS, 2, { glasses: 'yes', ageGroup: '18-29' })).toBe(2)
    expect(mostAfter(STEPS, 3, { glasses: 'yes', since: 'birth', ageGroup: '60+' })).toBe(2)
    expect(mostAfter(STEPS, 4, { ageGroup: '60+' })).toBe(1)
    expect(mostAfter(STEPS, 5, {})).toBe(0)
  })

  test('Q-03 an answer given before this step is no longer open', () => {
    const steps: WalkStep[] = [
      { next: 2, storageKey: 'glasses' },
      { next: 3 },
      { next: 4, showIf: when('glasses', 'yes') },
      { next: '/checkout' },
    ]
    expect(mostAfter(steps, 1, { glasses: 'no' })).toBe(3)
    expect(mostAfter(steps, 2, { glasses: 'no' })).toBe(1)
    expect(mostAfter(steps, 2, { glasses: 'yes' })).toBe(2)
  })

  test('Q-03 the longer of two ways counts, also where hiding a step leads to more of them', () => {
    const shortcut: WalkStep[] = [
      { next: 2, storageKey: 'glasses' },
      { next: 5, showIf: when('glasses', 'yes') },
      { next: 4 },
      { next: 5 },
      { next: '/checkout' },
    ]
    expect(mostAfter(shortcut, 1, {})).toBe(3)
  })

  test('Q-03 the last step counts for everybody, whatever its condition says', () => {
    const closed: WalkStep[] = [{ next: 2 }, { next: '/checkout', showIf: when('ageGroup', '60+') }]
    expect(mostAfter(closed, 1, { ageGroup: '18-29' })).toBe(1)
  })

  test('Q-03 where a step leads back nothing can be told', () => {
    const circle: WalkStep[] = [{ next: 2 }, { next: 3 }, { next: 1 }, { next: '/checkout' }]
    expect(mostAfter(circle, 1, {})).toBe(Infinity)
  })
})

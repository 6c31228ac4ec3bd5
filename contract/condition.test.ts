import { describe, expect, test } from 'vitest'
import { conditionOf, holds, leafOf, leavesOf, outlook, type Condition, type Leaf, type Operator } from './condition.ts'

const leaf = (key: string, operator: Operator, ...values: string[]): Leaf => ({ key, operator, values })
const red = leaf('symptoms', 'contains', 'red')
const daily = leaf('often', 'is', 'daily')
const young = leaf('ageGroup', 'isNot', '46-59', '60+')

describe('whether a step is shown', () => {
  test.each<[Operator, boolean[]]>([
    ['contains', [true, true, true, false, false]],
    ['is', [true, false, true, false, false]],
    ['isNot', [false, false, false, true, true]],
  ])('Q-04 “%s” one of two answers: alone, beside another, both, another, none', (operator, expected) => {
    const condition = leaf('symptoms', operator, 'red', 'dry')
    const given = [['red'], ['red', 'tired'], ['dry', 'red'], ['tired'], undefined]
    expect(given.map((symptoms) => holds(condition, { symptoms }))).toEqual(expected)
  })

  test('Q-04 a single answer counts as a list of one, and none chosen as not asked', () => {
    expect([holds(daily, { often: 'daily' }), holds(daily, { often: 'weekly' })]).toEqual([true, false])
    expect([holds(daily, { often: [] }), holds(young, { ageGroup: null })]).toEqual([false, true])
  })

  test('Q-04 “all” asks for each of its parts, “any” for one, and both may stand in each other', () => {
    const known = { symptoms: ['red'], often: 'weekly' }
    expect([holds({ all: [red, daily] }, known), holds({ any: [red, daily] }, known)]).toEqual([false, true])
    expect(holds({ all: [red, { any: [daily, young] }] }, known)).toBe(true)
    expect(holds({ any: [daily, { all: [red, daily] }] }, known)).toBe(false)
    expect([holds({ all: [] }, known), holds({ any: [] }, known)]).toEqual([true, false])
  })

  test('Q-03 an answer that is still to come leaves both open, a known one decides', () => {
    const open = new Set(['often'])
    const both = { yes: true, no: true }
    expect(outlook(daily, { often: 'weekly' }, open)).toEqual(both)
    expect(outlook(red, { symptoms: ['red'] }, open)).toEqual({ yes: true, no: false })
    expect(outlook(red, { symptoms: ['dry'] }, open)).toEqual({ yes: false, no: true })
    const known = { symptoms: ['red'], ageGroup: '60+' }
    // red: yes, daily: open, young: no
    expect(outlook({ all: [red, daily] }, known, open)).toEqual(both)
    expect(outlook({ all: [young, daily] }, known, open)).toEqual({ yes: false, no: true })
    expect(outlook({ any: [red, daily] }, known, open)).toEqual({ yes: true, no: false })
    expect(outlook({ any: [young, daily] }, known, open)).toEqual(both)
  })

  test('K-05 the answers that a condition looks at, however deep', () => {
    const condition: Condition = { all: [red, { any: [daily, { all: [young] }] }] }
    expect(leavesOf(condition)).toEqual([red, daily, young])
    expect(leavesOf(red)).toEqual([red])
  })
})

/** Rows of “Shown when” as they lie in the document. */
const answer = { _type: 'answerCondition', asked: 'symptoms', operator: 'contains', chosen: ['red'] }
const age = { _type: 'ageCondition', operator: 'isNot', ageGroups: ['46-59', '60+'] }
const campaign = { _type: 'campaignCondition', parameter: 'utm_source', operator: 'is', campaigns: ['blog'] }

describe('the field “Shown when”', () => {
  test('K-05 L-06 a row looks at an answer, the age group or the campaign', () => {
    expect(leafOf(answer)).toEqual(red)
    expect(leafOf(age)).toEqual(young)
    expect(leafOf(campaign)).toEqual(leaf('utm_source', 'is', 'blog'))
  })

  test('K-05 a row that looks at something else, or at nothing, is refused', () => {
    for (const row of [{ ...answer, _type: 'weatherCondition' }, {}, null, 'red', [answer]]) {
      expect(() => leafOf(row)).toThrow('looks at something that the quiz does not know')
    }
  })

  test('K-05 an unfinished row is refused', () => {
    for (const missing of [
      { asked: undefined },
      { asked: '' },
      { operator: undefined },
      { operator: 'like' },
      { chosen: undefined },
      { chosen: [] },
      { chosen: [null, 7] },
    ]) {
      expect(() => leafOf({ ...answer, ...missing }), JSON.stringify(missing)).toThrow('is unfinished')
    }
    expect(leafOf({ ...answer, chosen: [null, 'red'] })).toEqual(red)
  })

  test('K-05 no rows are no condition, one row is itself, several are “all” unless “any” is chosen', () => {
    for (const empty of [undefined, null, 'x', [answer], {}, { conditions: [] }, { conditions: 'x' }]) {
      expect(conditionOf(empty)).toBeUndefined()
    }
    expect(conditionOf({ match: 'any', conditions: [answer] })).toEqual(red)
    expect(conditionOf({ conditions: [answer, age] })).toEqual({ all: [red, young] })
    expect(conditionOf({ match: 'all', conditions: [answer, age] })).toEqual({ all: [red, young] })
    expect(conditionOf({ match: 'any', conditions: [answer, age] })).toEqual({ any: [red, young] })
  })

  test('K-05 a group is a condition of its own; an empty one asks for nothing', () => {
    const group = (match: string, ...conditions: unknown[]) => ({ _type: 'conditionGroup', match, conditions })
    expect(conditionOf({ conditions: [answer, group('any', age, campaign)] })).toEqual({
      all: [red, { any: [young, leaf('utm_source', 'is', 'blog')] }],
    })
    expect(conditionOf({ conditions: [answer, group('any')] })).toEqual(red)
    expect(() => conditionOf({ conditions: [group('any', { ...answer, chosen: [] })] })).toThrow('is unfinished')
    expect(() => conditionOf({ conditions: [null] })).toThrow('looks at something')
  })
})

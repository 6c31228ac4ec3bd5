import { describe, expect, test } from 'vitest'
import {
  ageBucketLabel,
  AGE_GROUPS,
  ANSWER_VALUES,
  drawEyeStrainIndex,
  drawVisualAge,
  encodeAnswer,
  QUESTION_KEYS,
  recoveryOf,
  recoveryScore,
} from './quiz.ts'

const LAST = 1 - Number.EPSILON

describe('quiz values', () => {
  test('Q-14 the question keys and their stable values are all there and unique', () => {
    expect(QUESTION_KEYS).toHaveLength(14)
    for (const key of QUESTION_KEYS) {
      const values = ANSWER_VALUES[key]
      expect(new Set(values).size).toBe(values.length)
      // Q-10 joins lists by comma: a value with one could not be told apart. Single answers may carry one.
      if (['symptoms', 'symptomTiming', 'digitalDevices'].includes(key)) expect(values.join('')).not.toContain(',')
    }
  })

  test.each([
    [{}, 0],
    [{ symptoms: ['blurry'] }, 0],
    [{ symptoms: ['blurry', 'red'] }, 1],
    [{ symptoms: ['blurry', 'red', 'strain'] }, 2],
    [{ symptoms: ['blurry', 'red', 'strain', 'headaches'] }, 2],
    [{ symptomFrequency: 'Rarely' }, 0],
    [{ symptomFrequency: 'Occasionally' }, 0],
    [{ symptomFrequency: 'Frequently' }, 1],
    [{ symptomFrequency: 'Daily' }, 2],
    [{ symptomFrequency: 'Multiple times per day' }, 2],
    [{ screenTime: '2-4 hours' }, 0],
    [{ screenTime: '4-8 hours' }, 1],
    [{ screenTime: 'More than 8 hours' }, 1],
    [{ screenBreaks: 'yes but not regularly' }, 0],
    [{ screenBreaks: 'rarely take breaks' }, 1],
    [{ screenBreaks: "wasn't aware I should" }, 1],
  ])('S-27 %j scores %i', (answers, score) => expect(recoveryScore(answers)).toBe(score))

  test("S-27 a score of 4 is 'Very slow' at 15 in red, 3 is 'Slow' at 30 in orange", () => {
    const three = { symptoms: ['blurry', 'red', 'strain'], symptomFrequency: 'Frequently' }
    expect(recoveryOf(three)).toEqual({ label: 'Slow', position: 30, tone: 'orange' })
    expect(recoveryOf({ ...three, screenTime: '4-8 hours' })).toEqual({ label: 'Very slow', position: 15, tone: 'red' })
  })

  test('S-26 the Eye Strain Index runs from 35.1 to 39.1 in tenths', () => {
    expect(drawEyeStrainIndex(() => 0)).toBe(35.1)
    expect(drawEyeStrainIndex(() => LAST)).toBe(39.1)
    for (let step = 0; step < 1000; step++) {
      const index = drawEyeStrainIndex(() => step / 1000)
      expect(Number(index.toFixed(1))).toBe(index)
    }
  })

  test.each([
    ['18-29', 24, 42],
    ['30-45', 36, 58],
    ['46-59', 52, 72],
    ['60+', 66, 88],
    [undefined, 24, 42],
  ] as const)('S-26 the Visual Age of %s lies between %i and %i', (group, from, to) => {
    expect(drawVisualAge(group, () => 0)).toBe(from)
    expect(drawVisualAge(group, () => LAST)).toBe(to)
  })

  test("S-34 the age bucket is the decade kept within 20's and 60's, 20's by default", () => {
    expect([undefined, 18, 24, 39, 40, 58, 66, 88].map(ageBucketLabel)).toEqual([
      "20's",
      "20's",
      "20's",
      "30's",
      "40's",
      "50's",
      "60's",
      "60's",
    ])
    expect(AGE_GROUPS).toEqual(['18-29', '30-45', '46-59', '60+'])
  })

  test('Q-10 arrays are joined by comma, objects are JSON, an empty array is empty, nulls are skipped', () => {
    expect(encodeAnswer(['blurry', 'red'])).toBe('blurry,red')
    expect(encodeAnswer([])).toBe('')
    expect(encodeAnswer({ a: 1 })).toBe('{"a":1}')
    expect(encodeAnswer(36.4)).toBe('36.4')
    expect(encodeAnswer(null)).toBeUndefined()
    expect(encodeAnswer(undefined)).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import { ageBucketLabel, AGE_GROUPS, isAgeGroup } from './ages.ts'
import {
  ANSWER_VALUES,
  drawEyeStrainIndex,
  drawVisualAge,
  encodeAnswer,
  EYE_STRAIN_INDEX,
  NO_SYMPTOMS_LABEL,
  QUESTION_KEYS,
  recoveryOf,
  recoveryScore,
  SCORED_KEYS,
  SYMPTOM_LABELS,
  SYMPTOMS,
} from './quiz.ts'

const LAST = 1 - Number.EPSILON

describe('quiz values', () => {
  test('Q-14 the question keys and their stable values are all there and unique', () => {
    expect(QUESTION_KEYS).toHaveLength(14)
    for (const key of QUESTION_KEYS) {
      const values = ANSWER_VALUES[key]
      expect(new Set(values).size).toBe(values.length)
      // Q-10 joins lists by comma, so their values must not contain one. Single answers may.
      if (['symptoms', 'symptomTiming', 'digitalDevices'].includes(key)) expect(values.join('')).not.toContain(',')
    }
  })

  /** Section 2 of the first text, copied by hand; where section 3 gives ids, the values are these. */
  const SPECIFIED = {
    eyeColor: 'amber | blue | brown | gray | green | hazel | heterochromia | other',
    symptoms: 'blurry | red | strain | headaches',
    symptomFrequency: 'Rarely | Occasionally | Frequently | Daily | Multiple times per day',
    symptomTiming:
      'Morning | Afternoon | Evening | After extended screen time | After reading | In bright environments',
    visionCorrection: "Yes, glasses | Yes, contact lenses | Yes, both glasses and contacts | No, I don't wear either",
    digitalDevices: 'Smartphone | Computer/Laptop | Tablet | Television | E-reader | Gaming console',
    screenTime: 'Less than 2 hours | 2-4 hours | 4-8 hours | More than 8 hours',
    workLighting: 'Natural daylight | Bright artificial lighting | Dim artificial lighting | Mixed lighting conditions',
    lightSensitivity: 'Yes, very sensitive | Somewhat sensitive | Not very sensitive | Not sensitive at all',
    screenBreaks: "follows the 20-20-20 rule | yes but not regularly | rarely take breaks | wasn't aware I should",
    lastEyeExam: 'within 6 months | 6-12 months | 1-2 years | more than 2 years | never',
    eyeMedications: 'prescription drops/medications | over-the-counter drops | both | none',
    astigmatism: 'Yes | No | Not sure',
    exerciseTime: 'under 5 min | 5-10 | 10-15 | 15-20 | over 20',
  }

  test('Q-14 S-01 keys and values are those of the text, in its order', () => {
    const found = QUESTION_KEYS.map((key) => [key, ANSWER_VALUES[key].join(' | ')])
    expect(found).toEqual(Object.entries(SPECIFIED))
    expect(Object.keys(ANSWER_VALUES)).toEqual([...QUESTION_KEYS])
    expect(SCORED_KEYS).toEqual(['symptoms', 'symptomFrequency', 'screenTime', 'screenBreaks'])
  })

  test('S-03 chosen symptoms are named as the text names them', () => {
    expect(SYMPTOMS.map((id) => SYMPTOM_LABELS[id])).toEqual(['Blurry vision', 'Red Eyes', 'Eye Strain', 'Headaches'])
    expect(NO_SYMPTOMS_LABEL).toBe('No symptoms selected')
  })

  test('S-00 Q-01 an age group is one of the four, and nothing else is', () => {
    expect(AGE_GROUPS.every(isAgeGroup)).toBe(true)
    expect(['', '18', '60', undefined, null, ['18-29']].some(isAgeGroup)).toBe(false)
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
    const drawn = Array.from({ length: 1000 }, (_, step) => drawEyeStrainIndex(() => step / 1000))
    // each of the 41 tenths, and nothing in between
    expect([...new Set(drawn)]).toEqual(Array.from({ length: 41 }, (_, tenth) => (351 + tenth) / 10))
    expect(EYE_STRAIN_INDEX).toMatchObject({ scaleFrom: 32.2, scaleTo: 39.9 })
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
    // the age and the added years are drawn independently: the youngest with the most, and vice versa
    const draws =
      (...numbers: number[]) =>
      () =>
        numbers.shift() ?? 0
    expect(drawVisualAge(group, draws(0, LAST))).toBe(from + 7)
    expect(drawVisualAge(group, draws(LAST, 0))).toBe(to - 7)
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

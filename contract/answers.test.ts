import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeAnswer } from './answers.ts'
import { ANSWER_VALUES, encodeAnswer, QUESTION_KEYS } from './quiz.ts'

test('C-02 Q-10 an answer comes back from the service as it was given, whatever was chosen', () => {
  fc.assert(
    fc.property(
      fc
        .constantFrom(...QUESTION_KEYS)
        .chain((key) => fc.tuple(fc.constant(key), fc.subarray([...ANSWER_VALUES[key]], { minLength: 1 }))),
      ([key, chosen]) => {
        const single = chosen[0] ?? ''
        if (key !== 'symptoms') expect(decodeAnswer(key, encodeAnswer(single) ?? '')).toBe(single)
        // only these take several answers; their values contain no comma
        if (!['symptoms', 'symptomTiming', 'digitalDevices'].includes(key)) return
        const back = decodeAnswer(key, encodeAnswer(chosen) ?? '')
        expect([back].flat()).toEqual(chosen)
      },
    ),
  )
  expect(decodeAnswer('symptoms', '')).toEqual([])
  expect(decodeAnswer('symptoms', 'red')).toEqual(['red'])
  for (const key of ['eyeStrainIndex', 'visualAge', 'recoveryPosition', 'selectedPrice']) {
    expect([decodeAnswer(key, '17.67'), decodeAnswer(key, 'old')], key).toEqual([17.67, undefined])
  }
  // an editor's own question: what the publish check lets a value be tells several answers from one (K-05)
  expect(decodeAnswer('habits', 'late,early')).toEqual(['late', 'early'])
  expect(decodeAnswer('habits', 'Yes, often')).toBe('Yes, often')
  expect(decodeAnswer('habits', encodeAnswer({ a: 1, b: 2 }) ?? '')).toBe('{"a":1,"b":2}')
  expect(decodeAnswer('birthDate', '1960-01-02')).toBe('1960-01-02')
})

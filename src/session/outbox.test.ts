import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { healthGateOf, isCovered } from './consent.ts'
import { asOutbox, EMPTY_OUTBOX, isEmpty, withAnswer, withWrite } from './outbox.ts'
import { BATCH, nextBatch, retryWait, withoutAnswers, withoutWrite } from './sending.ts'
import { asQuizAnswers } from './answers.ts'

describe('the outbox', () => {
  test('Q-10 the last answer of a question wins, and an answer changed while it was sent stays', () => {
    const first = withAnswer(EMPTY_OUTBOX, 'eyeColor', 'blue', '2026-01-01T00:00:00.000Z')
    const sent = nextBatch(first)
    const changed = withAnswer(first, 'eyeColor', 'green', '2026-01-01T00:00:01.000Z')
    const left = withoutAnswers(changed, sent)
    expect(nextBatch(left)).toEqual([
      { questionId: 'eyeColor', answer: 'green', answeredAt: '2026-01-01T00:00:01.000Z' },
    ])
    expect(isEmpty(withoutAnswers(left, nextBatch(left)))).toBe(true)
  })

  test('Q-10 answers travel in batches, oldest first, until nothing is left', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 999 }))), (given) => {
        let outbox = EMPTY_OUTBOX
        const expected = new Map<string, string>()
        given.forEach(([question, answer], index) => {
          outbox = withAnswer(outbox, `q${question}`, String(answer), new Date(index * 1000).toISOString())
          expected.set(`q${question}`, String(answer))
        })
        const arrived = new Map<string, string>()
        for (let rounds = 0; !isEmpty(outbox); rounds++) {
          const batch = nextBatch(outbox)
          expect(batch.length).toBeLessThanOrEqual(BATCH)
          expect(rounds).toBeLessThan(10)
          for (const { questionId, answer } of batch) {
            expect(arrived.has(questionId)).toBe(false)
            arrived.set(questionId, answer)
          }
          outbox = withoutAnswers(outbox, batch)
        }
        expect(arrived).toEqual(expected)
      }),
    )
  })

  test('S-23 D-02 a failed write waits in the outbox until its own success takes it out', () => {
    const box = withWrite(EMPTY_OUTBOX, 'setSessionEmail', { email: 'a@b.co' }, 'then')
    expect(withoutWrite(box, 'setSessionEmail', 'earlier')).toEqual(box)
    expect(isEmpty(withoutWrite(box, 'setSessionEmail', 'then'))).toBe(true)
  })

  test('Q-10 retries wait longer each time, up to a minute and a quarter', () => {
    expect([1, 2, 3, 4].map((failures) => retryWait(failures, () => 0))).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(retryWait(50, () => 1)).toBe(75_000)
  })

  test('Q-10 Q-14 whatever storage holds, the outbox reads it without losing the sound entries', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = asOutbox(value)
        if (read) expect(asOutbox(JSON.parse(JSON.stringify(read)))).toEqual(read)
      }),
    )
    const sound = withAnswer(EMPTY_OUTBOX, 'eyeColor', 'blue', 'now')
    expect(asOutbox({ answers: { ...sound.answers, broken: 7 }, writes: { setPrice: 'no' } })).toEqual(sound)
  })

  test('Q-14 stored answers are parsed field by field', () => {
    expect(asQuizAnswers({ ageGroup: '99', symptoms: 'red', selectedPrice: '5', visualAge: 44, mine: [1] })).toEqual({
      visualAge: 44,
      mine: [1],
    })
    expect(asQuizAnswers(null)).toBeUndefined()
  })
})

describe('health consent', () => {
  test('D-13 answers are held back until the region is known and its consent given', () => {
    expect(healthGateOf(null, undefined)).toBe('unknown')
    expect(healthGateOf(null, true)).toBe('ask')
    expect(healthGateOf('refused', false)).toBe('refused')
    expect(healthGateOf('granted', true)).toBe('open')
    expect(healthGateOf(null, false)).toBe('open')
    expect(healthGateOf('not_required', true)).toBe('ask')
  })

  test('D-13 an unknown country is asked, and so is a country of which a state is listed', () => {
    const regions = ['DE', 'US-WA']
    expect(isCovered(regions, { country: null })).toBe(true)
    expect(isCovered(regions, { country: 'de' })).toBe(true)
    expect(isCovered(regions, { country: 'US' })).toBe(true)
    expect(isCovered(['US-WA'], { country: 'U' })).toBe(false)
    expect(isCovered(regions, { country: 'CA' })).toBe(false)
    expect(isCovered([], { country: null })).toBe(false)
  })
})

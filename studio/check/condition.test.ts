/** Conditions of steps: what is wrong with a row, its place and the words; and conditions in words. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answersWords, conditionWords, labelOf, leafWords, questionOf, titleOf } from './condition-words.ts'
import { pathText, type Document } from './finding.ts'
import { checkDocument } from './rules.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents are broken here on purpose
type Any = any
const text = readFileSync(new URL('../dataset/quiz.ndjson', import.meta.url), 'utf8')
const sample = () => JSON.parse(text.split('\n')[0] ?? '') as Any
const steps = sample().steps as Any[]

/** What is said of a condition of the step “When was your last eye exam?”. */
function said(...conditions: object[]): string[] {
  const document = sample()
  document.steps[15].showIf = { _type: 'stepCondition', match: 'all', conditions }
  return checkDocument(document as Document)
    .filter(({ level }) => level === 'error')
    .map(({ path, code, message }) => `${pathText(path)} ${code}: ${message}`)
}
const place = 'steps[_key=="last-eye-exam"].showIf.conditions'
const row = (_type: string, fields: object) => ({ _key: 'row', _type, ...fields })
const asks = (fields: object) => row('answerCondition', { operator: 'is', ...fields })

describe('K-05 each row of a condition looks at something that exists, and says what it wants of it', () => {
  test('K-05 unfinished: which field, and what to choose there, also in a group', () => {
    expect(said(asks({}))).toEqual([
      `${place}[_key=="row"].asked condition_unfinished: Choose the question this looks at.`,
    ])
    const group = { _key: 'group', _type: 'conditionGroup', match: 'any', conditions: [row('ageCondition', {})] }
    const inGroup = `${place}[_key=="group"].conditions[_key=="row"]`
    expect(said(group)).toEqual([
      `${inGroup}.operator condition_unfinished: Choose “contains”, “is” or “is not”.`,
      `${inGroup}.ageGroups condition_unfinished: Choose at least one answer.`,
    ])
    const nothing = `${place}[_key=="row"].chosen condition_unfinished: Choose at least one answer.`
    for (const chosen of [undefined, [], ['', ' '], [7], 'Yes'])
      expect(said(asks({ asked: 'visionCorrection', chosen }))).toEqual([nothing])
  })

  test('K-05 L-06 a campaign: one of the parameters of a link, and any values of it', () => {
    const campaign = (fields: object) => said(row('campaignCondition', { operator: 'is', ...fields }))
    expect(campaign({ parameter: 'utm_source', campaigns: ['blog', 'newsletter'] })).toEqual([])
    expect(campaign({ parameter: 'utm_campaign', campaigns: [] })).toEqual([
      `${place}[_key=="row"].campaigns condition_unfinished: Choose at least one answer.`,
    ])
    for (const parameter of ['fbclid', undefined])
      expect(campaign({ parameter, campaigns: ['blog'] })).toEqual([
        `${place}[_key=="row"].parameter condition_unfinished: Choose a parameter of the link.`,
      ])
  })

  test('K-05 a question that is gone, an answer that is gone, an age group that never was: by name', () => {
    expect(said(asks({ asked: 'sleep', chosen: ['bad'] }))).toEqual([
      `${place}[_key=="row"].asked condition_question: This condition looks at the question “sleep”, which is no ` +
        'longer in the quiz. Choose another one, or remove the condition.',
    ])
    const changed = 'It was removed, or its stored value was changed: choose the answers again.'
    expect(said(asks({ asked: 'visionCorrection', chosen: ['Yes, glasses', 'Monocle', 'Lorgnette'] }))).toEqual(
      ['Monocle', 'Lorgnette'].map(
        (value) =>
          `${place}[_key=="row"].chosen condition_answer: “${value}” is no longer an answer of “Do you wear glasses ` +
          `or contact lenses?”. ${changed}`,
      ),
    )
    expect(said(row('ageCondition', { operator: 'is', ageGroups: ['18-29', '12-17'] }))).toEqual([
      `${place}[_key=="row"].ageGroups condition_answer: “12-17” is no longer an answer of the age groups. ${changed}`,
    ])
  })
})

describe('conditions and answers in an editor’s words', () => {
  const answer = (asked: string, ...chosen: string[]) => ({ ...asks({ asked, chosen }), operator: 'contains' })

  test('K-05 titles and labels, else what is stored; what is unfinished is left open', () => {
    expect(leafWords(answer('symptoms', 'red'), steps)).toBe(
      '*Any symptoms you would like to improve?* contains *Red Eyes*',
    )
    expect(leafWords(answer('sleep', 'bad', 'worse'), steps)).toBe('*sleep* contains *bad* or *worse*')
    expect(leafWords(asks({ asked: 'symptoms' }), steps)).toBeUndefined()
    const half = { conditions: [answer('sleep', 'bad'), asks({}), { _type: 'conditionGroup', conditions: [] }] }
    expect(conditionWords(half, steps)).toBe('*sleep* contains *bad* and … and (…)')
    expect(conditionWords({ ...half, match: 'any' }, steps)).toBe('*sleep* contains *bad* or … or (…)')
    for (const none of [undefined, null, 'all', [], {}, { conditions: [] }])
      expect(conditionWords(none, steps)).toBeUndefined()
  })

  test('K-05 a step by its title, an answer by its label; a key left in another kind of step asks nothing', () => {
    const left = [{ _type: 'infoStep', storageKey: 'symptoms', title: 'Left over' }, ...steps]
    expect(titleOf(questionOf(left, 'symptoms'))).toBe('Any symptoms you would like to improve?')
    expect(questionOf(steps, 'sleep')).toBeUndefined()
    for (const untitled of [undefined, {}, { title: ' ' }]) expect(titleOf(untitled)).toBe('a step without a title')
    expect([labelOf(questionOf(steps, 'symptoms'), 'red'), labelOf(undefined, 'red')]).toEqual(['Red Eyes', 'red'])
  })

  test('K-05 a visitor’s answers: age and campaign first, then in the order of the way, nothing chosen said', () => {
    const answers = {
      visionCorrection: 'Yes, glasses',
      symptoms: ['red', 'strain'],
      symptomTiming: [],
      utm_source: undefined,
      ageGroup: '18-29',
    }
    // 6 is no question, and 5 is not on every way
    expect(answersWords(answers, steps, [1, 2, 4, 5, 6])).toBe(
      'another utm_source → 18-29 → Red Eyes + Eye Strain → nothing chosen → Yes, glasses',
    )
    expect(answersWords(answers, steps, [1, 4])).toBe('another utm_source → 18-29 → nothing chosen')
    expect(answersWords({ ageGroup: undefined, utm_source: 'blog' }, steps, [1])).toBe('no age group → blog')
    // an answer to a step without a key belongs to no condition
    expect(answersWords({ '': 'x', ageGroup: '60+' }, steps, [6])).toBe('60+')
    expect(answersWords({}, steps, [1, 2])).toBe('')
  })
})

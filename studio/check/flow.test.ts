import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { conditionWords } from './condition-words.ts'
import { pathText, type Document } from './finding.ts'
import { checkDocument } from './rules.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents are broken here on purpose
type Any = any
const text = readFileSync(new URL('../dataset/quiz.ndjson', import.meta.url), 'utf8')
const sample = () => JSON.parse(text.split('\n')[0] ?? '') as Any

const answer = (asked: string, operator: string, ...chosen: string[]) => ({
  _key: `${asked}-${operator}`,
  _type: 'answerCondition',
  asked,
  operator,
  chosen,
})
const age = (...ageGroups: string[]) => ({ _key: 'age', _type: 'ageCondition', operator: 'is', ageGroups })
const all = (...conditions: object[]) => ({ _type: 'stepCondition', match: 'all', conditions })

function findings(edit: (steps: Any[]) => void, level = 'error'): string[] {
  const document = sample()
  edit(document.steps)
  return checkDocument(document as Document)
    .filter((finding) => finding.level === level)
    .map(({ path, code, message }) => `${pathText(path)} ${code}: ${message}`)
}
const glasses = answer('visionCorrection', 'contains', 'Yes, glasses')

describe('K-05 a condition on a step', () => {
  test('K-05 is sound where it looks at an earlier answer; the lengths of the ways are told with an example', () => {
    expect(findings((steps) => (steps[12 - 1].showIf = all(glasses)))).toEqual([])
    const [note] = findings((steps) => (steps[16 - 1].showIf = all(glasses)), 'note')
    expect(note).toContain('The longest way has 33 steps. For example: ')
    expect(note).toContain('The shortest has 32 steps. For example: ')
    expect(findings(() => undefined, 'note')).toEqual([])
  })

  test('K-05 in words: titles and labels, groups in brackets', () => {
    const group = { _key: 'g', _type: 'conditionGroup', match: 'any', conditions: [glasses, age('18-29', '30-45')] }
    expect(conditionWords(all(answer('symptoms', 'isNot', 'red', 'strain'), group), sample().steps)).toBe(
      '*Any symptoms you would like to improve?* is not *Red Eyes* nor *Eye Strain* and (*Do you wear glasses or ' +
        'contact lenses?* contains *Yes, glasses* or *Age group* is *18-29* or *30-45*)',
    )
  })

  test('K-05 on a question that was deleted or comes later, on an answer that was renamed: named at its field', () => {
    const on = (index: number, condition: object) => (steps: Any[]) => (steps[index].showIf = all(condition))
    expect(findings(on(15, answer('sleep', 'is', 'bad')))).toEqual([
      expect.stringMatching(/showIf\.conditions\[_key=="sleep-is"\]\.asked condition_question: .*“sleep”, which is no/),
    ])
    expect(findings(on(1, glasses))).toEqual([
      expect.stringMatching(/steps\[_key=="symptoms"\].*\.asked condition_order: .*nobody has answered by then/),
    ])
    const renamed = findings((steps) => {
      steps[15].showIf = all(glasses)
      const question = steps.find((step: Any) => step.storageKey === 'visionCorrection')
      question.options[0].value = 'Glasses'
    })
    expect(renamed).toEqual([expect.stringMatching(/\.chosen condition_answer: “Yes, glasses” is no longer an answer/)])
  })

  test('K-05 unfinished rows are named, and nothing is published half', () => {
    const rows = [
      { _key: 'a', _type: 'answerCondition' },
      { _key: 'b', _type: 'ageCondition', operator: 'is' },
    ]
    const found = findings((steps) => (steps[15].showIf = all(...rows)))
    expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
      ['a"].operator', 'a"].asked', 'b"].ageGroups'].map((field) =>
        expect.stringContaining(`[_key=="${field} condition_unfinished`),
      ),
    )
  })
})

describe('K-05 every way through the quiz', () => {
  test('K-05 a circle and a way out that only some visitors take, with an example in words', () => {
    const circle = findings((steps) => {
      steps[15].showIf = all(glasses, age('18-29'))
      steps[15].next = '12'
    })
    expect(circle).toEqual([expect.stringMatching(/\.next loop: .* For example: 18-29 → .*Yes, glasses/)])
    const out = findings((steps) => {
      steps[15].showIf = all(glasses)
      steps[15].next = '/checkout'
    })
    expect(out).toEqual([expect.stringMatching(/\.next early_exit: .* before the price. For example: Yes, glasses\.$/)])
  })

  test('K-05 a step that nobody would see, and a price that not everybody would', () => {
    expect(findings((steps) => (steps[15].showIf = all(age('18-29'), { ...age('60+'), _key: 'other' })))).toEqual([
      expect.stringContaining('.showIf never_shown: Nobody would see this step'),
    ])
    expect(findings((steps) => (steps[32].showIf = all(glasses)))).toEqual([
      expect.stringMatching(/steps\[_key=="price"\]\.showIf dead_end: .*For example: /),
    ])
  })

  test('S-27 K-05 an answer that the score needs is given on every way, and so is the e-mail address', () => {
    const scored = findings((steps) => {
      const index = steps.findIndex((step) => step.storageKey === 'screenBreaks')
      steps[index].showIf = all(glasses)
    })
    expect(scored).toEqual([expect.stringMatching(/ answer_missing: “.*” can be shown without “.*”, which it needs\./)])
    const without = findings((steps) => (steps[22].showIf = all(glasses)))
    expect(without).toHaveLength(3)
  })

  test('K-05 two branches that are told apart by “leads to” are both reached', () => {
    const branches = findings((steps) => {
      // with glasses: 15, then 17; without: 16
      steps[14].showIf = all(glasses)
      steps[14].next = '17'
    })
    expect(branches).toEqual([])
  })
})

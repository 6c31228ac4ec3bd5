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
    expect(circle).toEqual([
      expect.stringMatching(/^steps\[_key=="last-eye-exam"\]\.next loop: .* For example: 18-29 → .*Yes, glasses/),
    ])
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

  test('K-05 a step leads to the one below it, to a number of the quiz or to a path, and to nothing else', () => {
    const led = (index: number, next: string) => findings((steps) => (steps[index].next = next))
    for (const next of ['0', '-3', '+5', '5.5', '1e1', 'x5', '5x', '34', 'see /checkout', '/', '/9'])
      expect(led(3, next)).toEqual([
        `steps[_key=="symptom-timing"].next dead_target: “${next}” is neither a step from 1 to 33 nor a path such as ` +
          '/checkout.',
      ])
    for (const out of ['/chekout', '/checkout/', '/checkout?from=quiz', '/legal/privacy', '/paypal-setup-return'])
      expect(findings((steps) => (steps[32].next = out))).toEqual([
        `steps[_key=="price"].next dead_target: No page of the funnel has the address “${out}”. The quiz has to end ` +
          'at one, such as /checkout.',
      ])
    for (const out of ['/checkout', '/summary']) expect(findings((steps) => (steps[32].next = out))).toEqual([])
    expect(led(3, '#gone')).toEqual([
      'steps[_key=="symptom-timing"].next dead_target: The step that this led to is gone. Choose another, or the ' +
        'step below.',
    ])
    expect(led(3, '#vision-correction')).toEqual([])
    const circle = 'This leads back: the quiz runs in a circle and never arrives at the price.'
    expect(led(3, '1')).toEqual([`steps[_key=="symptom-timing"].next loop: ${circle}`])
    const [unnamed] = findings((steps) => (delete steps[3]._key, (steps[3].next = '1')))
    expect(unnamed).toBe(`steps[3].next loop: ${circle}`)
    expect(led(30, '33')).toEqual([
      'steps[_key=="testimonials"] unreachable: No step leads here: it would never be shown.',
    ])
    expect(findings((steps) => (steps[32].next = ' '))).toEqual([
      'steps[_key=="price"].next dead_target: The last step needs a path such as /checkout to go on to.',
    ])
  })

  test('K-05 Q-05 Q-09 what can be answered: one or several, and nothing where Next is shown without a choice', () => {
    const { steps: all33 } = sample()
    const at = (key: string) => all33.findIndex((step: Any) => step.storageKey === key)
    const seen = (key: string, change: object, ...conditions: object[]) =>
      findings((steps) => {
        Object.assign(steps[at(key)], { multiSelect: false, showNext: false, optional: false }, change)
        steps[23].showIf = all(...conditions)
      }).map((line) => line.split(':')[0])
    const never = ['steps[_key=="motivation"].showIf never_shown']
    const values = all33[at('visionCorrection')].options.map(({ value }: Any) => value as string)
    const both = values.slice(0, 2).map((one: string, index: number) => ({
      ...answer('visionCorrection', 'contains', one),
      _key: `row-${index}`,
    }))
    expect(seen('visionCorrection', {}, ...both)).toEqual(never)
    expect(seen('visionCorrection', { multiSelect: true }, ...both)).toEqual([])
    const none = answer('visionCorrection', 'isNot', ...values)
    expect(seen('visionCorrection', {}, none)).toEqual(never)
    expect(seen('visionCorrection', { showNext: true }, none)).toEqual(never)
    // there is nothing to press but an answer
    expect(seen('visionCorrection', { optional: true }, none)).toEqual(never)
    expect(seen('visionCorrection', { showNext: true, optional: true }, none)).toEqual([])
    expect(seen('visionCorrection', { multiSelect: true, optional: true }, none)).toEqual([])
  })

  test('K-05 S-27 each step that needs another one names it, for whom, and only what stands above it', () => {
    const hidden = (...keys: string[]) =>
      findings((steps) => {
        for (const step of steps) if (keys.includes(step._key)) step.showIf = all(glasses)
      }).map((line) => line.replace(/ answer_missing: | For example: .*/g, '|'))
    const [summary, recovery, price] = ['Vision Health Summary', 'Your vision recovery', 'Chose a Trial Price']
    const mail = 'Congrats! Your vision improvement summary and program is ready!'
    const needs = (key: string, who: string, what: string) =>
      `steps[_key=="${key}"]|“${who}” can be shown without “${what}”, which it needs.|`
    expect(hidden('email')).toEqual([
      needs('summary', summary, mail),
      needs('recovery', recovery, mail),
      needs('price', price, mail),
    ])
    expect(hidden('summary')).toEqual([needs('price', price, summary)])
    expect(hidden('recovery')).toEqual([needs('price', price, recovery)])
    // steps that only some see may need each other
    expect(hidden('summary', 'recovery')).toHaveLength(2)
    const { steps: all33 } = sample()
    const [, symptoms, often] = all33 as { title: string }[]
    const young = findings((steps) => (steps[1].showIf = all(age('18-29'))))
    const missing = `“${symptoms?.title}”, which it needs. For example: no age group.`
    expect(young.map((line) => line.split(' ')[0])).toEqual([
      'steps[_key=="symptom-frequency"]',
      'steps[_key=="recovery"]',
    ])
    expect(young[0]).toBe(
      `steps[_key=="symptom-frequency"] answer_missing: “${often?.title}” can be shown without ${missing}`,
    )
    // its own answer is none that a question could be shown without
    expect(findings((steps) => (steps[1].subtitle = 'Your {symptoms}')).join()).not.toContain('answer_missing')
  })

  test('K-05 whoever is an example is told by their answers on their own way; a fault of everybody needs none', () => {
    const [note] = findings((steps) => {
      steps[15].showIf = all(glasses, age('18-29'))
      steps[16].showIf = all(answer('lastEyeExam', 'isNot', 'never'))
    }, 'note')
    expect(note).toBe(
      'steps lengths: The longest way has 33 steps. For example: 18-29 → Yes, glasses → Within 6 months. The ' +
        'shortest has 32 steps. For example: no age group → Yes, glasses.',
    )
  })

  test('K-05 an example tells nothing that its visitor was not asked', () => {
    const [note] = findings((steps) => {
      steps[15].showIf = all({
        _key: 'blog',
        _type: 'campaignCondition',
        parameter: 'utm_source',
        operator: 'is',
        campaigns: ['blog'],
      })
      steps[16].showIf = all(answer('lastEyeExam', 'contains', 'within 6 months'))
      steps[17].showIf = all(answer('eyeMedications', 'contains', 'both'))
    }, 'note')
    expect(note).toBe(
      'steps lengths: The longest way has 33 steps. For example: blog → Within 6 months → Both. The shortest has 30 ' +
        'steps. For example: another utm_source.',
    )
  })

  test('K-05 a condition that comes too early is named at its row, and what follows from it is not', () => {
    const late = answer('lastEyeExam', 'is', 'never')
    const found = findings((steps) => {
      steps[11].showIf = all(glasses, age('18-29'), { ...late, _key: 'late' })
      // left over from another kind of step: it is never shown
      steps[6].storageKey = 'lastEyeExam'
    })
    expect(found).toEqual([
      'steps[_key=="rule-20-20-20"].showIf.conditions[_key=="late"].asked condition_order: This condition looks at ' +
        '“When was your last eye exam?”, which nobody has answered by then. Move it above this step.',
    ])
  })

  test('K-05 conditions that depend on each other in too many ways to be proved are refused in words', () => {
    const found = findings((steps) => {
      const question = (key: string) => ({
        ...{ _key: key, _type: 'questionStep', storageKey: key, title: key },
        options: ['yes', 'no'].map((value) => ({ _key: value, value, label: value })),
      })
      const names = Array.from({ length: 22 }, (_, index) => index)
      const pair = (name: number) => ({
        ...{ _key: `pair-${name}`, _type: 'conditionGroup', match: 'all' },
        conditions: [answer(`a${name}`, 'is', 'yes'), answer(`b${name}`, 'is', 'yes')],
      })
      steps.splice(5, 0, ...['a', 'b'].flatMap((half) => names.map((name) => question(`${half}${name}`))))
      const step = steps.find(({ _key }) => _key === 'motivation')
      step.showIf = { _type: 'stepCondition', match: 'any', conditions: names.map(pair) }
    })
    expect(found.filter((line) => !line.includes(' shown_total: '))).toEqual([
      'steps entangled: The conditions depend on each other in too many ways to be proved. Let fewer steps look at ' +
        'several answers together.',
    ])
  })
})

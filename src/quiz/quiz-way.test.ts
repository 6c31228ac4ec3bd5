import { describe, expect, test } from 'vitest'
import type { Condition } from '../../contract/condition.ts'
import type { QuestionStep, QuizStep } from '../../contract/content.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { progressOf } from './quiz.ts'
import { createQuiz } from './quiz.store.ts'
import type { VisitorQuiz } from './quiz-state.ts'
import type { QuizWorld } from './quiz-world.ts'

const question = (storageKey: string, next: number, change: Partial<QuestionStep> = {}): QuizStep => ({
  kind: 'question',
  title: storageKey,
  next,
  storageKey,
  subtitle: null,
  hint: null,
  multiSelect: false,
  showNext: true,
  optional: false,
  layout: 'list',
  options: ['yes', 'no'].map((value) => ({ key: value, value, label: value })),
  ...change,
})
const when = (key: string, ...values: string[]): { showIf: Condition } => ({
  showIf: { key, operator: 'is', values },
})
const plain = (kind: string, next: number | string, more: object = {}) =>
  ({ kind, next, ...more }) as unknown as QuizStep

/**
 * 1 glasses; 2–4 a branch for those who wear them, 2 is skipped by the young; 5 a loader; 6 for a campaign; 7 the
 * e-mail screen; 8 recovery; 9 price. Without glasses: 1, 5, 7, 8, 9.
 */
const steps = [
  question('glasses', 2),
  plain('info', 3, { showIf: { all: [when('glasses', 'yes').showIf, when('ageGroup', '60+').showIf] } }),
  question('screenTime', 4, { ...when('glasses', 'yes'), options: [{ key: 'x', value: '4-8 hours', label: '4-8' }] }),
  question('symptoms', 5, { ...when('screenTime', '4-8 hours'), multiSelect: true }),
  plain('loader', 6),
  plain('info', 7, when('utm_campaign', 'spring')),
  plain('email', 8, { shownTotal: 8 }),
  plain('recovery', 9),
  plain('price', '/checkout'),
]

function visit(
  address = '/quiz?step=1',
  stored: QuizAnswers = {},
  campaign: Record<string, string> = {},
  published = steps,
) {
  const entries = [address]
  const addresses: string[] = []
  let answers = stored
  const completed: number[] = []
  const content = { steps: published, welcome: {}, seo: {}, longest: 8 } as unknown as VisitorQuiz
  const world = {
    query: () => new URL(entries.at(-1) ?? '/', 'http://x').searchParams,
    go(to: string, replace: boolean) {
      addresses.push(to)
      entries.splice(entries.length - (replace ? 1 : 0), Infinity, to)
    },
    canGoBack: () => entries.length > 1,
    goBack: () => {
      entries.pop()
      quiz.show()
    },
    readAnswers: () => answers,
    saveAnswer: (key: string, value: unknown) => (answers = { ...answers, [key]: value }),
    keepAnswers: (next: QuizAnswers) => void (answers = next),
    campaign: () => campaign,
    readPlace: () => null,
    stepKeys: () => [],
    keepPlace: () => undefined,
    forgetPlace: () => undefined,
    startedAt: (now: number) => now,
    keepCompletion: (seconds: number) => completed.push(seconds),
    sendEmail: () => undefined,
    now: () => 0,
    random: () => 0,
    after: () => () => undefined,
  } as unknown as QuizWorld
  const quiz = createQuiz(content, world)
  quiz.show()
  const bar = () => {
    const { current, total } = progressOf(steps, Number(quiz.$place.get()), quiz.stretch(Number(quiz.$place.get())))
    return `${current}/${total}`
  }
  const answer = (value: string) => {
    quiz.choose(value)
    quiz.next()
  }
  return { quiz, entries, addresses, completed, bar, answer, answers: () => answers, here: () => quiz.$place.get() }
}

describe('Q-02 Q-03 a way of one’s own', () => {
  test('Q-04 who does not wear glasses is not asked about them, and the bar never goes back', () => {
    const { quiz, answer, bar, here, completed } = visit('/quiz?step=1', { ageGroup: '60+' })
    expect(bar()).toBe('1/8')
    answer('no')
    expect([here(), bar()]).toEqual([5, '2/5'])
    quiz.proceed()
    // the e-mail screen's own total, shorter by as much as this way is
    expect([here(), bar()]).toEqual([7, '3/5'])
    quiz.submitEmail('me@example.com')
    expect([here(), bar(), completed]).toEqual([8, '4/5', []])
    quiz.proceed()
    expect([here(), bar(), completed.length]).toEqual([9, '5/5', 1])
  })

  test('Q-04 who wears them sees the branch, by age group and campaign', () => {
    const { quiz, answer, bar, here } = visit('/quiz?step=1', { ageGroup: '60+' }, { utm_campaign: 'spring' })
    const seen = [bar()]
    answer('yes')
    seen.push(`${here()}: ${bar()}`)
    quiz.proceed()
    answer('4-8 hours')
    seen.push(`${here()}: ${bar()}`)
    answer('yes')
    quiz.proceed()
    seen.push(`${here()}: ${bar()}`)
    expect(seen).toEqual(['1/8', '2: 2/8', '4: 4/8', '6: 6/8'])
    const young = visit('/quiz?step=1', { ageGroup: '18-29' })
    young.answer('yes')
    expect([young.here(), young.bar()]).toEqual([3, '2/7'])
  })

  test('Q-02 Back and another answer: the branch disappears, and its answers no longer count', () => {
    const { quiz, answer, here, entries, answers } = visit('/quiz?step=1', { symptomFrequency: 'Daily' })
    answer('yes')
    answer('4-8 hours')
    expect(here()).toBe(4)
    quiz.back()
    quiz.back()
    expect(here()).toBe(1)
    answer('no')
    expect([here(), entries]).toEqual([5, ['/quiz?step=1', '/quiz?step=5']])
    expect(answers()).toMatchObject({ glasses: 'no', screenTime: '4-8 hours' })
    expect(quiz.counted(answers())).toEqual({ glasses: 'no', symptomFrequency: 'Daily' })
    // changed back: the answer is still there
    quiz.back()
    answer('yes')
    expect([here(), quiz.selectionOf(steps[2] as QuestionStep).get()]).toEqual([3, ['4-8 hours']])
  })

  test('S-27 the score does not read an answer that the way left out', () => {
    const stored = {
      glasses: 'no',
      symptomFrequency: 'Daily',
      screenTime: '4-8 hours',
      screenBreaks: 'rarely take breaks',
    }
    expect(visit('/quiz?step=8', stored).answers().recoverySpeed).toBe('Slow')
    expect(visit('/quiz?step=8', { ...stored, glasses: 'yes' }).answers().recoverySpeed).toBe('Very slow')
  })

  test('Q-01 Q-13 a reload in the middle stays; an address of a hidden step opens the next one that is shown', () => {
    expect(visit('/quiz?step=3', { glasses: 'yes' }).here()).toBe(3)
    const hidden = visit('/quiz?step=3', { glasses: 'no' })
    expect([hidden.here(), hidden.entries]).toEqual([5, ['/quiz?step=5']])
    expect(visit('/quiz?step=6').here()).toBe(7)
  })

  test('Q-02 D-09 a hidden first step never stands in the address of who starts, resumes or starts again', () => {
    const forOld = [plain('info', 2, when('ageGroup', '60+')), question('glasses', 3), plain('price', '/checkout')]
    const started = visit('/quiz', { ageGroup: '18-29' }, {}, forOld)
    started.quiz.start()
    expect([started.here(), started.addresses]).toEqual([2, ['/quiz?step=2']])
    const again = visit('/quiz?age=60%2B', { ageGroup: '18-29' }, {}, forOld)
    again.quiz.restart()
    expect([again.here(), again.addresses]).toEqual([1, ['/quiz?step=1']])
  })

  test('Q-02 the arrow of a step opened by its address leads to the screen before it on this visitor’s way', () => {
    const { quiz, here } = visit('/quiz?step=7', { glasses: 'no' })
    quiz.back()
    expect(here()).toBe(1)
  })
})

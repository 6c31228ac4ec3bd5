import { describe, expect, test } from 'vitest'
import type { EmailStep, QuestionStep, QuizStep, StepKind } from '../../contract/content.ts'
import { NO_SYMPTOMS_LABEL, SYMPTOM_LABELS } from '../../contract/quiz.ts'
import { figureOf } from './figures.ts'
import { loaderAt } from './loader.ts'
import {
  addressOf,
  ageOf,
  answerOf,
  choose,
  completes,
  mayGoOn,
  placeOf,
  progressOf,
  restore,
  resumablePlace,
  showsNext,
  startedAgain,
  symptomNames,
} from './quiz.ts'

const question = (change: Partial<QuestionStep> = {}): QuestionStep => ({
  kind: 'question',
  title: 'How often?',
  next: 2,
  storageKey: 'often',
  subtitle: null,
  hint: null,
  multiSelect: false,
  showNext: false,
  optional: false,
  layout: 'list',
  options: ['a', 'b', 'c'].map((value) => ({ key: value, value, label: value.toUpperCase() })),
  ...change,
})
const email = { kind: 'email', shownTotal: 32 } as EmailStep
const thirtyThree = Array.from({ length: 33 }, (_, index): QuizStep => (index === 22 ? email : question()))

describe('where a visitor is', () => {
  test('Q-01 an unknown step is step 1, a known one is itself', () => {
    expect(['1', '33', 'Welcome'].map((step) => placeOf(step, 33))).toEqual([1, 33, 'Welcome'])
    expect(['0', '34', '-1', '1.5', '01', 'welcome', 'x', ''].map((step) => placeOf(step, 33))).toEqual(
      Array(8).fill(1),
    )
  })

  test('Q-11 a bare /quiz opens Welcome', () => {
    expect(placeOf(null, 33)).toBe('Welcome')
  })

  test('Q-01 an age outside the four groups is ignored, and 60+ survives an unescaped plus', () => {
    expect(['18-29', '30-45', '46-59', '60+', '60 '].map(ageOf)).toEqual(['18-29', '30-45', '46-59', '60+', '60+'])
    expect([null, '', '17', '60', '<b>'].map(ageOf)).toEqual(Array(5).fill(undefined))
    const query = new URL(addressOf('Welcome', '60+'), 'http://x').searchParams
    expect([placeOf(query.get('step'), 33), ageOf(query.get('age'))]).toEqual(['Welcome', '60+'])
  })

  test('Q-03 progress is step/33, with a percent on screens to read; the e-mail screen shows 23 of 32', () => {
    expect(progressOf(thirtyThree, 11)).toEqual({ current: 11, total: 33, percent: null })
    expect(progressOf(thirtyThree, 23)).toEqual({ current: 23, total: 32, percent: null })
    const of = (kind: StepKind) => thirtyThree.map((step): QuizStep => ({ ...step, kind }) as QuizStep)
    for (const kind of ['info', 'risk', 'summary', 'recovery', 'plan', 'timeline', 'press', 'testimonials'] as const) {
      expect(progressOf(of(kind), 27), kind).toEqual({ current: 27, total: 33, percent: 82 })
    }
    for (const kind of ['loader', 'price'] as const) expect(progressOf(of(kind), 27).percent, kind).toBeNull()
  })

  test('Q-12 the quiz is completed when step 32 leads on to step 33, and at no other step', () => {
    const passed = thirtyThree.map((_, index) => index + 1).filter((place) => completes(place + 1, 33))
    expect(passed).toEqual([32])
    expect(completes('/checkout', 33)).toBe(false)
  })

  test('Q-13 a visitor resumes at a real step only', () => {
    const resumed = (stored: string | null) => resumablePlace(stored, thirtyThree, ['one', 'two'], {})
    expect(['2', '33', '2 two', '9 two'].map(resumed)).toEqual([2, 33, 2, 2])
    const none = [null, '1', '0', '34', 'NaN', '2.5', '{}', '7 one', 'x gone']
    expect(none.map(resumed)).toEqual(none.map(() => undefined))
  })

  test('Q-13 S-26 starting again forgets the answers but not the figures drawn for the session', () => {
    const answers = {
      ageGroup: '30-45',
      eyeStrainIndex: 36.2,
      visualAge: 50,
      email: 'a@b.co',
      symptoms: ['red'],
    } as const
    expect(startedAgain({ ...answers, symptoms: ['red'] }, undefined)).toEqual({
      ageGroup: '30-45',
      eyeStrainIndex: 36.2,
      visualAge: 50,
      email: 'a@b.co',
    })
    expect(startedAgain({ ageGroup: '30-45', visualAge: 50 }, '60+')).toEqual({ ageGroup: '60+' })
    expect(startedAgain({ ageGroup: '30-45', symptoms: ['red'] }, undefined)).toStrictEqual({ ageGroup: '30-45' })
    expect(startedAgain({ symptoms: ['red'] }, undefined)).toStrictEqual({})
  })
})

describe('a question', () => {
  test('Q-05 Next is shown for multi-select or when configured', () => {
    expect(showsNext(question())).toBe(false)
    expect(showsNext(question({ showNext: true }))).toBe(true)
    expect(showsNext(question({ multiSelect: true }))).toBe(true)
  })

  test('Q-09 S-02 nothing moves with nothing chosen, except where none is allowed', () => {
    expect(mayGoOn(question(), [])).toBe(false)
    expect(mayGoOn(question(), ['a'])).toBe(true)
    expect(mayGoOn(question({ optional: true }), [])).toBe(true)
  })

  test('Q-07 multi-select toggles, single-select replaces', () => {
    const many = question({ multiSelect: true })
    expect(choose(many, ['a'], 'b')).toEqual(['a', 'b'])
    expect(choose(many, ['a', 'b'], 'a')).toEqual(['b'])
    expect(choose(question(), ['a'], 'b')).toEqual(['b'])
    expect(choose(question(), ['a'], 'a')).toEqual(['a'])
  })

  test('Q-08 an earlier answer is restored only when Next is shown', () => {
    expect(restore(question({ showNext: true }), { often: 'b' })).toEqual(['b'])
    expect(restore(question(), { often: 'b' })).toEqual([])
    expect(restore(question({ multiSelect: true }), { often: ['c', 'a', 'gone'] })).toEqual(['a', 'c'])
    expect(restore(question({ showNext: true }), { often: { broken: 1 } })).toEqual([])
    expect(restore(question({ showNext: true }), {})).toEqual([])
    // asked as a multi-select before an edit
    expect(restore(question({ showNext: true }), { often: ['c', 'b'] })).toEqual(['b'])
  })

  test('Q-14 a list for multi-select, a single value otherwise', () => {
    expect(answerOf(question({ multiSelect: true }), ['a', 'c'])).toEqual(['a', 'c'])
    expect(answerOf(question({ multiSelect: true }), [])).toEqual([])
    expect(answerOf(question(), ['a'])).toBe('a')
  })

  test('S-03 the subtitle lists the chosen symptoms or says that there are none', () => {
    const symptoms = question({
      storageKey: 'symptoms',
      options: Object.keys(SYMPTOM_LABELS).map((value) => ({ key: value, value, label: 'renamed' })),
    })
    const names = (chosen?: string[]) =>
      symptomNames([symptoms], chosen ? { symptoms: chosen } : {}, SYMPTOM_LABELS, NO_SYMPTOMS_LABEL)
    expect(names(['headaches', 'blurry'])).toBe('Blurry vision, Headaches')
    expect(names(['red', 'strain'])).toBe('Red Eyes, Eye Strain')
    const more = { ...symptoms, options: [...symptoms.options, { key: 'k', value: 'dry-eyes', label: 'Dry eyes' }] }
    expect(symptomNames([more], { symptoms: ['dry-eyes', 'blurry'] }, SYMPTOM_LABELS, '')).toBe(
      'Blurry vision, Dry eyes',
    )
    expect(names([])).toBe('No symptoms selected')
    expect(names()).toBe('No symptoms selected')
    // the screen's order, whatever else is asked before it
    const turned = { ...symptoms, options: symptoms.options.toReversed() }
    const others = [email, question({ options: [] }), { ...email, storageKey: 'symptoms' } as QuizStep]
    expect(symptomNames([...others, turned], { symptoms: ['blurry', 'headaches'] }, SYMPTOM_LABELS, '')).toBe(
      'Headaches, Blurry vision',
    )
    expect(symptomNames(others, { symptoms: ['headaches', 'blurry'] }, SYMPTOM_LABELS, '')).toBe(
      'Blurry vision, Headaches',
    )
  })
})

describe('a loading screen', () => {
  test('S-07 five texts stand 1300 ms each of 6500 ms, and the percent runs from 0 to 100', () => {
    expect([0, 1299, 1300, 2600, 5200, 6499].map((ms) => loaderAt(ms, 6500, 5).message)).toEqual([0, 0, 1, 2, 4, 4])
    expect(loaderAt(0, 6500, 5)).toEqual({ percent: 0, message: 0, done: false })
    expect(loaderAt(3250, 6500, 5).percent).toBe(50)
    expect(loaderAt(6500, 6500, 5)).toEqual({ percent: 100, message: 4, done: true })
  })

  test('S-14 S-21 eight messages share 6200 ms, six share 5600 ms; a sleeping tab ends at once', () => {
    expect(loaderAt(775, 6200, 8).message).toBe(1)
    expect(loaderAt(5599, 5600, 6)).toMatchObject({ message: 5, done: false })
    expect(loaderAt(600_000, 5600, 6)).toEqual({ percent: 100, message: 5, done: true })
  })
})

describe('the figure in a fact', () => {
  test('S-06 S-19 S-22 S-24 shares, counts and changes are read from the words', () => {
    expect(figureOf('80% of adults experience dry eyes')).toEqual({ kind: 'share', percent: 80 })
    expect(figureOf('Only 1 in 5 takes action')).toEqual({ kind: 'count', part: 1, whole: 5 })
    expect(figureOf('Targeted exercises can reduce symptoms by up to 50% in a week')).toEqual({
      kind: 'change',
      percent: 50,
      direction: 'down',
    })
    expect(figureOf('About 30% of people have astigmatism')).toEqual({ kind: 'share', percent: 30 })
    expect(figureOf('60% wait over 2 years between checkups')).toEqual({ kind: 'share', percent: 60 })
    expect(figureOf('Muscles strengthened by up to 30%')).toEqual({ kind: 'change', percent: 30, direction: 'up' })
    expect(figureOf('30% stronger muscles')).toEqual({ kind: 'change', percent: 30, direction: 'up' })
    expect(figureOf('Strain reduced for 78% of participants')).toEqual({ kind: 'share', percent: 78 })
    expect(figureOf('Strain reduced for 8 of 10 users')).toEqual({ kind: 'count', part: 8, whole: 10 })
  })

  test('S-12 the blink rate is two ranges; a text without a number has no chart', () => {
    expect(figureOf('On screens, the blink rate falls from 15-20 to 5-7 per minute')).toEqual({
      kind: 'ranges',
      from: [15, 20],
      to: [5, 7],
    })
    expect(figureOf('It rises through the day')).toBeUndefined()
    expect(figureOf('5 minutes a day is 2.5 hours a month')).toEqual({
      kind: 'numbers',
      values: [
        { value: 5, unit: 'minutes' },
        { value: 2.5, unit: 'hours' },
      ],
    })
    expect(figureOf('900% more')).toEqual({ kind: 'change', percent: 900, direction: 'up' })
    expect(figureOf('30 of 20 people')).toBeUndefined()
  })

  test('S-06 S-12 S-24 figures are read however the words are set', () => {
    const rate = { kind: 'ranges', from: [15, 20], to: [10, 12] }
    for (const words of ['15-20 to 10-12', '15 – 20  to  10 – 12', '15- 20 to 10 -12']) {
      expect(figureOf(`from ${words} a minute`), words).toEqual(rate)
    }
    expect(figureOf('12 out of 20 people')).toEqual({ kind: 'count', part: 12, whole: 20 })
    expect(figureOf('all 5 of 5 people')).toEqual({ kind: 'count', part: 5, whole: 5 })
    for (const words of ['0 of 0 people', '3 of 21 people', '6 of 5 people'])
      expect(figureOf(words), words).toBe(undefined)
    expect(figureOf('about 12.25 % of people')).toEqual({ kind: 'share', percent: 12.25 })
    expect(figureOf('all 100% of people')).toEqual({ kind: 'share', percent: 100 })
    expect(figureOf('it was 140% of people')).toBeUndefined()
    for (const word of ['fell', 'falls', 'is lower', 'declined', 'decreased', 'dropped', 'was cut']) {
      expect(figureOf(`It ${word} by 20 %`), word).toEqual({ kind: 'change', percent: 20, direction: 'down' })
    }
    expect(figureOf('sharper by 20%')).toEqual({ kind: 'change', percent: 20, direction: 'up' })
    expect(figureOf('20%  fewer headaches')).toEqual({ kind: 'change', percent: 20, direction: 'down' })
    expect(
      figureOf('1 minute, 12 days, 1 day, 2 weeks, 1 week, 1.75 hours, 1 hour, 20 feet, 20 seconds, 1 second'),
    ).toEqual({
      kind: 'numbers',
      values: [
        [1, 'minute'],
        [12, 'days'],
        [1, 'day'],
        [2, 'weeks'],
        [1, 'week'],
        [1.75, 'hours'],
        [1, 'hour'],
        [20, 'feet'],
        [20, 'seconds'],
        [1, 'second'],
      ].map(([value, unit]) => ({ value, unit })),
    })
  })
})

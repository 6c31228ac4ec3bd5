import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { QuestionStep, QuizContent, QuizStep } from '../../contract/content.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { createQuiz, type Quiz } from './quiz.store.ts'
import type { QuizWorld } from './quiz-world.ts'

/**
 * Nine steps in the same order of kinds as the real quiz: two questions, a loader, a question with Next, e-mail …
 * price.
 */
const question = (change: Partial<QuestionStep>): QuestionStep => ({
  kind: 'question',
  title: 'Q',
  next: 2,
  storageKey: 'q',
  subtitle: null,
  hint: null,
  multiSelect: false,
  showNext: false,
  optional: false,
  layout: 'list',
  options: ['a', 'b'].map((value) => ({ key: value, value, label: value })),
  ...change,
})
const steps = [
  question({ storageKey: 'eyeColor', showNext: true, next: 2 }),
  question({ storageKey: 'symptoms', multiSelect: true, optional: true, next: 3 }),
  question({ storageKey: 'symptomFrequency', next: 4 }),
  { kind: 'loader', durationMs: 100, next: 5 },
  question({ storageKey: 'screenTime', next: 6 }),
  { kind: 'email', shownTotal: 8, next: 7 },
  { kind: 'summary', next: 8 },
  { kind: 'testimonials', next: 9 },
  { kind: 'price', next: '/checkout' },
] as unknown as QuizStep[]
const content = { steps, welcome: {}, seo: {} } as unknown as QuizContent

/** What is chosen on the step that is shown. */
const selectionOf = (quiz: Quiz): readonly string[] =>
  quiz.selectionOf(steps[Number(quiz.$place.get()) - 1] as QuestionStep).get()

/** The keys that editors' steps have, whatever their place. */
const keysOf = (published: readonly QuizStep[]) =>
  published.map((step) => (step.kind === 'question' ? step.storageKey : step.kind))

/** A browser in a box: history, storage and what was sent. */
function box(stored: QuizAnswers = {}, address = '/quiz', published = steps, place: string | null = null, more = {}) {
  const entries = [address]
  let at = 0
  let answers = stored
  const log = { left: [] as string[], saved: [] as [string, unknown][], emails: [] as string[], prices: [] as number[] }
  const kept = { place, startedAt: 0, seconds: [] as number[], consent: [] as boolean[] }
  const world: QuizWorld = {
    query: () => new URL(entries[at] ?? '/', 'http://x').searchParams,
    go(to, replace) {
      if (replace) entries[at] = to
      else entries.splice(++at, Infinity, to)
    },
    canGoBack: () => at > 0,
    goBack: () => back(),
    leave: (path) => log.left.push(path) > 0 && online.now,
    readAnswers: () => answers,
    campaign: () => ({}),
    saveAnswer(key, value) {
      log.saved.push([key, value])
      return (answers = { ...answers, [key]: value })
    },
    keepAnswers: (next) => void (answers = next),
    readPlace: () => kept.place,
    stepKeys: () => keysOf(published),
    keepPlace: (place) => void (kept.place = place),
    forgetPlace: () => Object.assign(kept, { place: null, startedAt: 0 }),
    startedAt: (now) => (kept.startedAt ||= now),
    keepCompletion: (seconds) => kept.seconds.push(seconds),
    sendEmail: (email) => log.emails.push(email),
    sendPrice: (dollars) => log.prices.push(dollars),
    sessionId: () => session,
    setConsent: (given) => kept.consent.push(given),
    random: () => 0.5,
    now: Date.now,
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  }
  let session: string | null = 'the-session'
  const online = { now: true }
  const quiz = createQuiz({ ...content, ...more, steps: published }, world)
  quiz.show()
  const back = () => {
    at -= 1
    quiz.show()
  }
  const withoutSession = () => (session = null)
  return { quiz, log, kept, entries, back, online, withoutSession, answers: () => answers, here: () => entries[at] }
}

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

describe('walking', () => {
  test('Q-01 S-00 Q-11 a bare address is Welcome, Start leads to step 1, an unknown step becomes step 1', () => {
    const { quiz, here } = box()
    expect(quiz.$place.get()).toBe('Welcome')
    quiz.start()
    expect([quiz.$place.get(), here()]).toEqual([1, '/quiz?step=1'])
    expect(box({}, '/quiz?step=77').entries).toEqual(['/quiz?step=1'])
  })

  test('Q-11 the age group is stored only when none is stored yet', () => {
    expect(box({}, '/quiz?step=Welcome&age=60%2B').answers().ageGroup).toBe('60+')
    expect(box({ ageGroup: '18-29' }, '/quiz?step=Welcome&age=60%2B').answers().ageGroup).toBe('18-29')
    expect(box({}, '/quiz?step=Welcome&age=12').answers().ageGroup).toBeUndefined()
  })

  test('Q-02 every step is an entry of its own, but a loader gives its entry up', () => {
    const { quiz, entries, back, here } = box({}, '/quiz?step=3')
    quiz.choose('a')
    vi.advanceTimersByTime(500)
    expect(here()).toBe('/quiz?step=4')
    quiz.proceed()
    expect(entries).toEqual(['/quiz?step=3', '/quiz?step=5'])
    back()
    expect(quiz.$place.get()).toBe(3)
  })

  test('Q-02 the arrow of a step opened by its address leads to the screen before it, never to a loader', () => {
    const { quiz, here } = box({}, '/quiz?step=5')
    quiz.back()
    expect([quiz.$place.get(), here()]).toEqual([3, '/quiz?step=3'])
  })

  test('Q-12 completion and its time are kept when the step before the last is passed', () => {
    const { quiz, kept } = box({}, '/quiz?step=6')
    vi.advanceTimersByTime(65_400)
    quiz.submitEmail('me@example.com')
    quiz.proceed()
    expect([quiz.$place.get(), kept.seconds]).toEqual([8, []])
    quiz.proceed()
    expect([quiz.$place.get(), kept.seconds]).toEqual([9, [65]])
  })
})

describe('answering', () => {
  test('Q-06 a single choice without Next is saved and moves on 500 ms later', () => {
    const { quiz, log } = box({}, '/quiz?step=3')
    quiz.choose('a')
    vi.advanceTimersByTime(499)
    expect([quiz.$place.get(), log.saved]).toEqual([3, []])
    vi.advanceTimersByTime(1)
    expect([quiz.$place.get(), log.saved]).toEqual([4, [['symptomFrequency', 'a']]])
  })

  test('Q-06 a second tap changes the choice and starts the wait again; it never advances twice', () => {
    const { quiz, log } = box({}, '/quiz?step=3')
    quiz.choose('a')
    vi.advanceTimersByTime(400)
    quiz.choose('b')
    vi.advanceTimersByTime(499)
    expect(quiz.$place.get()).toBe(3)
    vi.advanceTimersByTime(5_000)
    expect([quiz.$place.get(), log.saved]).toEqual([4, [['symptomFrequency', 'b']]])
  })

  test('Q-06 Back during the wait calls it off', () => {
    const { quiz, back, log } = box({}, '/quiz?step=2')
    quiz.next()
    quiz.choose('a')
    back()
    vi.advanceTimersByTime(5_000)
    expect([quiz.$place.get(), log.saved]).toEqual([2, [['symptoms', []]]])
  })

  test('Q-06 Q-13 a page that goes during the wait keeps the choice', () => {
    const { quiz, answers } = box({}, '/quiz?step=3')
    quiz.keepPending()
    expect(answers()).toEqual({})
    quiz.choose('b')
    quiz.keepPending()
    expect(answers().symptomFrequency).toBe('b')
  })

  test('Q-09 S-01 S-02 Next does nothing while nothing is chosen, except on step 2', () => {
    const { quiz, log } = box({}, '/quiz?step=1')
    quiz.next()
    expect([quiz.$place.get(), log.saved]).toEqual([1, []])
    quiz.choose('b')
    vi.advanceTimersByTime(5_000)
    expect(quiz.$place.get()).toBe(1)
    quiz.next()
    quiz.next()
    expect([quiz.$place.get(), log.saved]).toEqual([
      3,
      [
        ['eyeColor', 'b'],
        ['symptoms', []],
      ],
    ])
  })

  test('Q-08 Q-07 a stored answer comes back where Next is shown, and only there', () => {
    const stored = { eyeColor: 'b', symptoms: ['a'], symptomFrequency: 'a' }
    expect(selectionOf(box(stored, '/quiz?step=1').quiz)).toEqual(['b'])
    const many = box(stored, '/quiz?step=2').quiz
    many.choose('b')
    many.choose('a')
    expect(selectionOf(many)).toEqual(['b'])
    expect(selectionOf(box(stored, '/quiz?step=3').quiz)).toEqual([])
  })
})

describe('while the next screen is being drawn', () => {
  test('Q-08 Q-09 the screen that leaves keeps what it shows, and a second tap on its button goes no further', () => {
    const { quiz, entries } = box({}, '/quiz?step=1')
    const [first] = steps as QuestionStep[]
    if (!first) throw new Error('no step')
    quiz.choose('a')
    quiz.next()
    expect([quiz.$place.get(), quiz.selectionOf(first).get(), selectionOf(quiz)]).toEqual([2, ['a'], []])
    const welcome = box()
    welcome.quiz.start()
    welcome.quiz.start()
    expect(welcome.entries).toEqual(['/quiz', '/quiz?step=1'])
    expect(entries).toEqual(['/quiz?step=1', '/quiz?step=2'])
  })
})

describe('coming back', () => {
  test('Q-13 Welcome offers to go on where the visitor was, with the answers kept', () => {
    const first = box({ eyeColor: 'b' }, '/quiz?step=5')
    expect(first.kept.place).toBe('5 screenTime')
    first.entries.push('/quiz')
    const second = box({ eyeColor: 'b' })
    expect(second.quiz.$resumable.get()).toBeUndefined()
    second.kept.place = '5'
    second.quiz.show()
    expect(second.quiz.$resumable.get()).toBe(5)
    second.quiz.resume()
    expect([second.quiz.$place.get(), second.answers().eyeColor]).toEqual([5, 'b'])
    expect(second.entries).toEqual(['/quiz', '/quiz?step=5'])
  })

  test('Q-13 a publish meanwhile: the visitor goes on at the same step, wherever it stands by then', () => {
    const { place } = box({}, '/quiz?step=5').kept
    const resumedIn = (published: QuizStep[], answers: QuizAnswers = {}) =>
      box(answers, '/quiz', published, place).quiz.$resumable.get()
    const added = [question({ storageKey: 'first' }), question({ storageKey: 'second' })]
    expect(resumedIn([...added, ...steps])).toBe(7)
    expect(resumedIn(steps.slice(2))).toBe(3)
    // now the very first one: the same as starting
    expect(resumedIn(steps.slice(4))).toBeUndefined()
    // gone itself, and another before it: on at the first question so far that was not answered and had to be
    const without = steps.filter((_, at) => at !== 0 && at !== 4)
    expect(resumedIn(without)).toBe(2)
    expect(resumedIn(without, { symptomFrequency: 'a' })).toBe(5)
    expect(resumedIn([...without.slice(0, 2), ...added, ...without.slice(2)], { symptomFrequency: 'a' })).toBe(3)
    expect(resumedIn(steps.slice(0, 4), { eyeColor: 'a', symptomFrequency: 'a' })).toBe(4)
  })

  test('Q-13 a reload after a publish opens the step that was shown, wherever it stands by then', () => {
    const { place } = box({}, '/quiz?step=5').kept
    const reloadedIn = (published: QuizStep[], answers: QuizAnswers = {}, address = '/quiz?step=5') => {
      const { quiz, entries, kept } = box(answers, address, published, place)
      return [quiz.$place.get(), entries, kept.place]
    }
    expect(reloadedIn(steps.slice(2))).toEqual([3, ['/quiz?step=3'], '3 screenTime'])
    expect(reloadedIn(steps.slice(4))).toEqual([1, ['/quiz?step=1'], '1 screenTime'])
    expect(reloadedIn([question({ storageKey: 'first' }), ...steps])[0]).toBe(6)
    expect(reloadedIn(steps)).toEqual([5, ['/quiz?step=5'], '5 screenTime'])
    // gone itself, and another before it: on at the first question so far that was not answered and had to be
    expect(reloadedIn(steps.filter((_, at) => at !== 0 && at !== 4))[0]).toBe(2)
    // the quiz is shorter than the address by now
    expect(box({}, '/quiz?step=9', steps.slice(2), '9 price').entries).toEqual(['/quiz?step=7'])
    // an editor who looks at drafts sees what the address names
    const draft = box({}, '/quiz?step=5', steps.slice(2), place, { everyStep: true })
    expect(draft.quiz.$place.get()).toBe(5)
    // another address than the one that was shown is that of a step of today
    expect(reloadedIn(steps.slice(2), {}, '/quiz?step=4')[0]).toBe(4)
  })

  test('Q-13 a tab on another build does not move the step of this one', () => {
    const { quiz, kept } = box({}, '/quiz?step=6')
    kept.place = '7 email'
    quiz.proceed()
    expect(quiz.$place.get()).toBe(7)
  })

  test('Q-13 starting again empties the answers and begins at step 1', () => {
    const { quiz, answers, kept, entries } = box({ eyeColor: 'b', ageGroup: '30-45', eyeStrainIndex: 36 })
    kept.place = '7'
    kept.startedAt = 5
    quiz.restart()
    expect(answers()).toEqual({ ageGroup: '30-45', eyeStrainIndex: 36 })
    expect([quiz.$place.get(), selectionOf(quiz)]).toEqual([1, []])
    expect([entries, kept.startedAt]).toEqual([['/quiz', '/quiz?step=1'], 1_000_000])
  })

  test('Q-11 Q-13 starting again from the landing page takes the age group that was chosen there', () => {
    const { quiz, answers, log } = box({ ageGroup: '30-45', eyeColor: 'b' }, '/quiz?step=Welcome&age=60%2B')
    quiz.restart()
    expect(answers()).toEqual({ ageGroup: '60+' })
    expect(log.saved).toEqual([['ageGroup', '60+']])
    const same = box({ ageGroup: '60+' }, '/quiz?step=Welcome&age=60%2B')
    same.quiz.restart()
    expect(same.log.saved).toEqual([])
  })

  test('Q-11 S-26 a Visual Age that was drawn before an age group was chosen is not that of the group', () => {
    const { quiz, answers } = box({ eyeStrainIndex: 36, visualAge: 34 }, '/quiz?step=Welcome&age=60%2B')
    const drawn = answers()
    expect(drawn).toEqual({ eyeStrainIndex: 36, ageGroup: '60+', visualAge: expect.any(Number) })
    expect(drawn.visualAge).toBeGreaterThanOrEqual(66)
    quiz.restart()
    expect(answers()).toEqual(drawn)
  })
})

describe('results, e-mail and price', () => {
  test('S-26 index and Visual Age are drawn once, saved as answers, and stay after a reload', () => {
    const { quiz, log, answers } = box({ ageGroup: '60+' }, '/quiz?step=7')
    expect(log.saved.map(([key]) => key)).toEqual(['eyeStrainIndex', 'visualAge'])
    expect(answers().eyeStrainIndex).toBeGreaterThanOrEqual(35.1)
    expect(answers().visualAge).toBeGreaterThanOrEqual(66)
    const drawn = answers()
    quiz.show()
    expect(answers()).toEqual(drawn)
  })

  test('S-23 an address that is none stays; a good one is kept, sent, and the visitor goes on at once', () => {
    const { quiz, log, answers } = box({}, '/quiz?step=6')
    expect(quiz.submitEmail('no address')).toBe(false)
    expect([quiz.$place.get(), log.emails]).toEqual([6, []])
    expect(quiz.submitEmail(' me@example.com ')).toBe(true)
    expect([quiz.$place.get(), log.emails, answers().email]).toEqual([7, ['me@example.com'], 'me@example.com'])
    expect(quiz.$answers.get().email).toBe('me@example.com')
  })

  test('S-33 CONTINUE saves the price and leads to /checkout/{sessionId}, once', () => {
    const { quiz, log, answers } = box({}, '/quiz?step=9')
    quiz.checkOut(17.67)
    quiz.checkOut(17.67)
    expect([log.left, answers().selectedPrice]).toEqual([['/checkout/the-session'], 17.67])
    quiz.cameBack()
    quiz.checkOut(5)
    expect([log.left.length, answers().selectedPrice]).toEqual([2, 5])
    expect([...new Set(log.prices)]).toEqual([17.67, 5])
  })

  test('S-33 CONTINUE may be pressed again after four seconds on the page: the browser was stopped', () => {
    const { quiz, log } = box({}, '/quiz?step=9')
    quiz.checkOut(9)
    vi.advanceTimersByTime(3_900)
    quiz.checkOut(9)
    expect(log.left).toHaveLength(1)
    vi.advanceTimersByTime(100)
    quiz.checkOut(9)
    expect(log.left).toHaveLength(2)
    // the end of the first wait is not that of the second
    vi.advanceTimersByTime(3_900)
    quiz.checkOut(9)
    expect(log.left).toHaveLength(2)
  })

  test('S-33 CONTINUE pressed without a network may be pressed again, and looks again whether there is one', () => {
    const { quiz, log, online } = box({}, '/quiz?step=9')
    online.now = false
    quiz.checkOut(9)
    quiz.checkOut(9)
    expect(log.left).toHaveLength(2)
    online.now = true
    quiz.checkOut(9)
    quiz.checkOut(9)
    expect(log.left).toHaveLength(3)
  })

  test('S-33 a price that is picked is kept before CONTINUE, and no other screen leads to the checkout', () => {
    const { quiz, log, answers } = box({}, '/quiz?step=9')
    quiz.choosePrice(9)
    expect([answers().selectedPrice, log.prices, log.left]).toEqual([9, [], []])
    for (const address of ['/quiz', '/quiz?step=8']) {
      const elsewhere = box({}, address)
      elsewhere.quiz.checkOut(9)
      expect([elsewhere.log.prices, elsewhere.log.left]).toEqual([[], []])
    }
  })

  test('S-33 without a session CONTINUE leads to /checkout', () => {
    const { quiz, log, withoutSession } = box({}, '/quiz?step=9')
    withoutSession()
    quiz.checkOut(1)
    expect(log.left).toEqual(['/checkout'])
  })

  test('D-13 the tick is remembered in both directions', () => {
    const { quiz, kept } = box()
    quiz.setConsent(true)
    expect(quiz.$consent.get()).toBe('given')
    quiz.setConsent(false)
    expect([quiz.$consent.get(), kept.consent]).toEqual(['withdrawn', [true, false]])
    const never = box().quiz
    const before = never.$consent.get()
    never.setConsent(false)
    expect(never.$consent.get()).toBe(before)
  })
})

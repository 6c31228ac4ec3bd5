import { atom, type PreinitializedWritableAtom } from 'nanostores'
import type { Next, QuestionStep, QuizContent, QuizStep } from '../../contract/content.ts'
import { parseEmail } from '../../contract/email.ts'
import { drawEyeStrainIndex, drawVisualAge, recoveryOf, type AgeGroup, type QuizAnswers } from '../../contract/quiz.ts'
import type { QuizWorld } from './quiz-world.ts'
import {
  addressOf,
  ageOf,
  answerOf,
  AUTO_ADVANCE_MS,
  choose,
  completes,
  mayGoOn,
  placeOf,
  restore,
  resumablePlace,
  showsNext,
  startedAgain,
  type Place,
} from './quiz.ts'

/** D-13: whether Welcome shows the checkbox for health answers, and whether it is ticked. */
export type Consent = 'not_asked' | 'asked' | 'given' | 'withdrawn'

export type Quiz = ReturnType<typeof createQuiz>

/**
 * The quiz of one page: atoms that views read and actions that they call. The address is the state; `show` follows it.
 */
export function createQuiz(content: QuizContent, world: QuizWorld) {
  const { steps } = content
  const total = steps.length
  const $place = atom<Place>('Welcome')
  const $answers = atom<QuizAnswers>({})
  /** The chosen values of each question, one atom each, so that a screen on its way out does not change. */
  const selections = new Map<QuestionStep, PreinitializedWritableAtom<readonly string[]>>()
  const $age = atom<AgeGroup | undefined>(undefined)
  const $resumable = atom<number | undefined>(undefined)
  const $consent = atom<Consent>('not_asked')

  let callOff: (() => void) | undefined
  let leaving = false

  const stepAt = (place: Place): QuizStep | undefined => (place === 'Welcome' ? undefined : steps[place - 1])
  const selectionOf = (step: QuestionStep) => {
    const $known = selections.get(step) ?? atom<readonly string[]>([])
    selections.set(step, $known)
    return $known
  }
  const save = (key: string, value: unknown): void => $answers.set(world.saveAnswer(key, value))

  /** follows the address, on load and on back and forward. */
  function show(): void {
    callOff?.()
    leaving = false
    const query = world.query()
    const place = placeOf(query.get('step'), total)
    const age = ageOf(query.get('age'))
    const named = query.get('step')
    if (named !== null && named !== String(place)) world.go(addressOf(place), true)
    $answers.set(world.readAnswers())
    //
    if (age && !$answers.get().ageGroup) save('ageGroup', age)
    $age.set(age ?? $answers.get().ageGroup)
    if (place === 'Welcome') $resumable.set(resumablePlace(world.readPlace(), total))
    else {
      world.keepPlace(place)
      world.startedAt(world.now())
    }
    const step = stepAt(place)
    if (step?.kind === 'question') selectionOf(step).set(restore(step, $answers.get()))
    if (step?.kind === 'summary') drawFigures()
    if (step?.kind === 'recovery') {
      const { label, position } = recoveryOf($answers.get())
      if ($answers.get().recoverySpeed !== label) {
        save('recoverySpeed', label)
        save('recoveryPosition', position)
      }
    }
    $place.set(place)
  }

  /** S-26: drawn once per session, the same after a reload. */
  function drawFigures(): void {
    const { eyeStrainIndex, visualAge, ageGroup } = $answers.get()
    if (eyeStrainIndex === undefined) save('eyeStrainIndex', drawEyeStrainIndex(world.random))
    if (visualAge === undefined) save('visualAge', drawVisualAge(ageGroup, world.random))
  }

  function goTo(next: Next, replace: boolean): void {
    // a second tap while the screen is about to change
    if (next === $place.get()) return
    callOff?.()
    if (typeof next === 'number') {
      world.go(addressOf(next), replace)
      show()
    } else if (!leaving) {
      leaving = true
      world.leave(next)
    }
  }

  /**
   * The step is done: go to its next one. Loaders give up their history entry, so that Back never lands in one.
   */
  function proceed(): void {
    const place = $place.get()
    const step = stepAt(place)
    if (!step) return
    if (completes(place, total)) world.keepCompletion(Math.round((world.now() - world.startedAt(world.now())) / 1000))
    goTo(step.next, step.kind === 'loader')
  }

  function saveSelection(step: QuestionStep): void {
    const selection = selectionOf(step).get()
    if (mayGoOn(step, selection)) save(step.storageKey, answerOf(step, selection))
  }

  return {
    content,
    $place,
    $answers,
    selectionOf,
    $age,
    $resumable,
    $consent,
    show,
    proceed,

    /**
     * The arrow above a step does what the browser's Back does; on a step opened by its address, it goes to the screen
     * before.
     */
    back(): void {
      const place = $place.get()
      if (place === 'Welcome') return
      if (world.canGoBack()) return world.goBack()
      let before = place - 1
      while (stepAt(before)?.kind === 'loader') before--
      world.go(addressOf(before < 1 ? 'Welcome' : before), true)
      show()
    },

    /** Welcome → step 1. */
    start(): void {
      goTo(1, false)
    },
    /** continues where the visitor was. */
    resume(): void {
      goTo($resumable.get() ?? 1, false)
    },
    restart(): void {
      const kept = startedAgain(world.readAnswers(), ageOf(world.query().get('age')))
      world.keepAnswers(kept)
      world.forgetPlace()
      goTo(1, false)
    },

    /** A tap on an option. Q-06: without Next it saves and moves on after 500 ms; another tap starts the wait again. */
    choose(value: string): void {
      const step = stepAt($place.get())
      if (step?.kind !== 'question') return
      callOff?.()
      const $selection = selectionOf(step)
      $selection.set(choose(step, $selection.get(), value))
      if (showsNext(step)) return
      const cancel = world.after(AUTO_ADVANCE_MS, () => {
        callOff = undefined
        saveSelection(step)
        proceed()
      })
      callOff = () => {
        cancel()
        callOff = undefined
      }
    },
    /** An arrow key on a single-choice option: selects it without moving on. */
    pick(value: string): void {
      const step = stepAt($place.get())
      if (step?.kind !== 'question') return
      callOff?.()
      selectionOf(step).set(choose(step, [], value))
    },
    /** Another tab has saved answers: show them here, unless a choice made here is about to be saved. */
    refresh(): void {
      if (callOff) return
      $answers.set(world.readAnswers())
      const step = stepAt($place.get())
      if (step?.kind === 'question' && showsNext(step)) selectionOf(step).set(restore(step, $answers.get()))
    },
    /** */
    next(): void {
      const step = stepAt($place.get())
      if (step?.kind !== 'question' || !mayGoOn(step, selectionOf(step).get())) return
      saveSelection(step)
      proceed()
    },
    /** The page closes while a choice waits for its 500 ms: the choice is saved. */
    keepPending(): void {
      const step = stepAt($place.get())
      if (callOff && step?.kind === 'question') saveSelection(step)
    },

    /** S-23: false when the text is not a valid address. Moves on without waiting for any write. */
    submitEmail(text: string): boolean {
      const email = parseEmail(text)
      if (!email) return false
      const answers = { ...world.readAnswers(), email }
      world.keepAnswers(answers)
      $answers.set(answers)
      world.sendEmail(email)
      proceed()
      return true
    },

    /** S-33: `dollars` is one of the four prices. */
    choosePrice(dollars: number): void {
      save('selectedPrice', dollars)
    },
    /** S-33: to /checkout/{sessionId}, or /checkout without a session. */
    checkOut(dollars: number): void {
      const step = stepAt($place.get())
      if (step?.kind !== 'price') return
      save('selectedPrice', dollars)
      world.sendPrice(dollars)
      const id = world.sessionId()
      goTo(typeof step.next === 'string' && id ? `${step.next}/${id}` : step.next, false)
    },

    setConsent(given: boolean): void {
      const taken = $consent.get() === 'given' ? 'withdrawn' : $consent.get()
      $consent.set(given ? 'given' : taken)
      world.setConsent(given)
    },
    /** The page came back from the browser's cache: it can be left again. */
    cameBack(): void {
      leaving = false
    },
  }
}

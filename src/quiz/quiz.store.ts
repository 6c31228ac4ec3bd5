import { parseEmail } from '../../contract/email.ts'
import { ageOf, startedAgain } from './quiz.ts'
import { createChoices } from './quiz-choices.ts'
import { createNavigation } from './quiz-navigation.ts'
import { createAutoAdvance, createState, type VisitorQuiz } from './quiz-state.ts'
import type { QuizWorld } from './quiz-world.ts'

export type Quiz = ReturnType<typeof createQuiz>

/**
 * The quiz of one page: atoms that views read and actions that they call. The address is the state; `show` follows it.
 */
export function createQuiz(content: VisitorQuiz, world: QuizWorld) {
  const state = createState(content, world)
  const autoAdvance = createAutoAdvance(world)
  const { goTo, ...navigation } = createNavigation(state, autoAdvance, world)
  const { proceed } = navigation
  const { save, stepAt, ...shown } = state
  const { $resumable, $consent } = shown

  return {
    ...shown,
    ...navigation,
    ...createChoices(state, autoAdvance, proceed, world),

    /** Welcome → step 1. */
    start(): void {
      goTo(1, false)
    },
    /** continues where the visitor was. */
    resume(): void {
      goTo($resumable.get() ?? 1, false)
    },
    restart(): void {
      const { ageGroup } = world.readAnswers()
      const kept = startedAgain(world.readAnswers(), ageOf(world.query().get('age')))
      world.keepAnswers(kept)
      // the service has the other group
      if (kept.ageGroup !== ageGroup) save('ageGroup', kept.ageGroup)
      world.forgetPlace()
      goTo(1, false)
    },

    /** S-23: false when the text is not a valid address. Moves on without waiting for any write. */
    submitEmail(text: string): boolean {
      const email = parseEmail(text)
      if (!email) return false
      world.keepAnswers({ ...world.readAnswers(), email })
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
      const step = stepAt()
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
  }
}

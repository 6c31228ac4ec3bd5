import { atom, type PreinitializedWritableAtom } from 'nanostores'
import type { QuestionStep, QuizContent, QuizStep } from '../../contract/content.ts'
import type { AgeGroup } from '../../contract/ages.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { AUTO_ADVANCE_MS, type Place } from './quiz.ts'
import type { QuizWorld } from './quiz-world.ts'

/** D-13: whether Welcome shows the checkbox for health answers, and whether it is ticked. */
export type Consent = 'not_asked' | 'asked' | 'given' | 'withdrawn'

export type QuizState = ReturnType<typeof createState>

/** The quiz as its page gets it. */
export interface VisitorQuiz extends Omit<QuizContent, 'steps'> {
  steps: readonly QuizStep[]
  /** The steps of the longest way, where steps have conditions. */
  longest?: number
  /** An address shows its step to everybody: for editors, who look at drafts. */
  everyStep?: boolean
}

/** What one page's quiz knows: the atoms that views read, and the step and answers behind them. */
export function createState(content: VisitorQuiz, world: QuizWorld) {
  const { steps } = content
  const $place = atom<Place>('Welcome')
  const $answers = atom<QuizAnswers>({})
  /** The chosen values of each question, one atom each, so that a screen on its way out does not change. */
  const selections = new Map<QuestionStep, PreinitializedWritableAtom<readonly string[]>>()

  return {
    content,
    $place,
    $answers,
    $age: atom<AgeGroup | undefined>(undefined),
    $resumable: atom<number | undefined>(undefined),
    $consent: atom<Consent>('not_asked'),
    selectionOf(step: QuestionStep) {
      const $known = selections.get(step) ?? atom<readonly string[]>([])
      selections.set(step, $known)
      return $known
    },
    /** The step of a place, by default of the one that is shown; Welcome is none. */
    stepAt: (place = $place.get()): QuizStep | undefined => (place === 'Welcome' ? undefined : steps[place - 1]),
    save: (key: string, value: unknown): void => $answers.set(world.saveAnswer(key, value)),
  }
}

export type AutoAdvance = ReturnType<typeof createAutoAdvance>

/** the wait between a choice and the next step; one at a time. */
export function createAutoAdvance(world: Pick<QuizWorld, 'after'>) {
  let cancel: (() => void) | undefined
  return {
    isWaiting: (): boolean => cancel !== undefined,
    start(advance: () => void): void {
      cancel = world.after(AUTO_ADVANCE_MS, () => {
        cancel = undefined
        advance()
      })
    },
    callOff(): void {
      cancel?.()
      cancel = undefined
    },
  }
}

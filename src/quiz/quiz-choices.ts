import type { QuestionStep } from '../../contract/content.ts'
import { answerOf, choose, mayGoOn, restore, showsNext } from './quiz.ts'
import type { AutoAdvance, QuizState } from './quiz-state.ts'
import type { QuizWorld } from './quiz-world.ts'

/** Answering the question that is shown; `proceed` goes on to the next step. */
export function createChoices(state: QuizState, autoAdvance: AutoAdvance, proceed: () => void, world: QuizWorld) {
  const { $answers, selectionOf, stepAt } = state

  const question = (): QuestionStep | undefined => {
    const step = stepAt()
    return step?.kind === 'question' ? step : undefined
  }

  function saveSelection(step: QuestionStep): void {
    const selection = selectionOf(step).get()
    if (mayGoOn(step, selection)) state.save(step.storageKey, answerOf(step, selection))
  }

  return {
    /** A tap on an option. Q-06: without Next it saves and moves on after 500 ms; another tap starts the wait again. */
    choose(value: string): void {
      const step = question()
      if (!step) return
      autoAdvance.callOff()
      const $selection = selectionOf(step)
      $selection.set(choose(step, $selection.get(), value))
      if (showsNext(step)) return
      autoAdvance.start(() => {
        saveSelection(step)
        proceed()
      })
    },
    /** An arrow key on a single-choice option: selects it without moving on. */
    pick(value: string): void {
      const step = question()
      if (!step) return
      autoAdvance.callOff()
      selectionOf(step).set(choose(step, [], value))
    },
    /** Another tab has saved answers: show them here, unless a choice made here is about to be saved. */
    refresh(): void {
      if (autoAdvance.isWaiting()) return
      $answers.set(world.readAnswers())
      const step = question()
      if (step && showsNext(step)) selectionOf(step).set(restore(step, $answers.get()))
    },
    /** */
    next(): void {
      const step = question()
      if (!step || !mayGoOn(step, selectionOf(step).get())) return
      saveSelection(step)
      proceed()
    },
    /** The page closes while a choice waits for its 500 ms: the choice is saved. */
    keepPending(): void {
      const step = question()
      if (autoAdvance.isWaiting() && step) saveSelection(step)
    },
  }
}

import type { Next, QuizStep } from '../../contract/content.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { hasConditions, mostAfter, shownFrom, walk, type Walk } from '../../contract/quiz-walk.ts'
import type { Stretch } from './quiz.ts'
import type { QuizState } from './quiz-state.ts'
import type { QuizWorld } from './quiz-world.ts'

/** A visitor's own way through the quiz, where steps have conditions. */
export function createWay({ content, $answers, $place, stepAt }: QuizState, world: QuizWorld) {
  const { steps } = content
  const branches = hasConditions(steps)

  function walked(until: number, answers = $answers.get()): Walk {
    const { ageGroup } = answers
    return walk(steps, branches ? { ...world.campaign(), ageGroup } : {}, answers, until)
  }

  /** The places shown before one. One that is not on the visitor's way was opened by its address. */
  function before(place: number): readonly number[] {
    const { places } = walked(place)
    return places.includes(place) ? places.slice(0, -1) : places.filter((one) => one < place)
  }

  return {
    /** The place that an address opens for this visitor: a hidden step gives way to the next one that is shown. */
    open: (place: number): number =>
      branches && !content.everyStep ? shownFrom(steps, place, walked(place).known) : place,

    /** Where a step leads this visitor, its own answer included. */
    after(step: QuizStep, place: number): Next {
      if (!branches) return step.next
      const own = step.kind === 'question' ? { [step.storageKey]: $answers.get()[step.storageKey] } : {}
      return shownFrom<Next>(steps, step.next, { ...walked(place).known, ...own })
    },

    /** The screen before a place, for an address without a history; no loader. */
    previous: (place: number): number | undefined => before(place).findLast((one) => stepAt(one)?.kind !== 'loader'),

    /** undefined where everybody goes the same way. */
    stretch(place: number): Stretch | undefined {
      if (!branches) return undefined
      const longest = content.longest ?? steps.length
      const position = before(place).length + 1
      const most = position + mostAfter(steps, place, walked(place).known)
      return { position, total: Math.max(position, Math.min(most, longest)), longest }
    },

    /** Answers without those to questions that the visitor's way leaves out: they stay stored but do not count. */
    counted(answers: QuizAnswers, place = $place.get()): QuizAnswers {
      if (!branches || place === 'Welcome') return answers
      const { known } = walked(place, answers)
      const out = steps.flatMap((step) =>
        step.kind === 'question' && !(step.storageKey in known) ? step.storageKey : [],
      )
      return Object.fromEntries(Object.entries(answers).filter(([key]) => !out.includes(key)))
    },
  }
}

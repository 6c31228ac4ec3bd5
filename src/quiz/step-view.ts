import type { ComponentType } from 'react'
import type { QuizStep } from '../../contract/content.ts'
import type { Quiz } from './quiz.store.ts'

/** What every screen gets: the quiz and its own step. */
export interface StepProps<Step extends QuizStep = QuizStep> {
  quiz: Quiz
  step: Step
}

// each view takes its own kind of step; the registry pairs them by `kind`
export type View = ComponentType<StepProps<never>>

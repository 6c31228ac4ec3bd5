import type { ComponentType } from 'react'
import type { QuizStep, StepKind } from '../../contract/content.ts'
import type { Quiz } from './quiz.store.ts'
import { Question } from './steps/Question.tsx'

/** What every screen gets: the quiz and its own step. */
export interface StepProps<Step extends QuizStep = QuizStep> {
  quiz: Quiz
  step: Step
}
// each view takes its own kind of step; the registry pairs them by `kind`
type View = ComponentType<StepProps<never>>

/** One file per kind. The question is there from the start; the others come while the visitor reads. */
const FILES: Record<Exclude<StepKind, 'question'>, () => Promise<{ default: View }>> = {
  info: () => import('./steps/Info.tsx'),
  loader: () => import('./steps/Loader.tsx'),
  email: () => import('./steps/Email.tsx'),
  risk: () => import('./steps/Risk.tsx'),
  summary: () => import('./steps/Summary.tsx'),
  recovery: () => import('./steps/Recovery.tsx'),
  plan: () => import('./steps/Plan.tsx'),
  timeline: () => import('./steps/Timeline.tsx'),
  press: () => import('./steps/Press.tsx'),
  testimonials: () => import('./steps/Testimonials.tsx'),
  price: () => import('./steps/Price.tsx'),
}

/** The views whose files are here, by kind. */
export const views: Partial<Record<StepKind, View>> = { question: Question }

/** Fetches the file of a kind; rejects when the network is gone, and may be called again. */
export async function fetchView(kind: StepKind): Promise<void> {
  if (views[kind] || kind === 'question') return
  views[kind] = (await FILES[kind]()).default
}

/** Fetches everything that is still missing, in the order of the steps, so that the quiz goes on without a network. */
export async function fetchAllViews(kinds: readonly StepKind[]): Promise<void> {
  void import('./steps/Icon.tsx').catch(() => undefined)
  for (const kind of new Set(kinds)) await fetchView(kind).catch(() => undefined)
}

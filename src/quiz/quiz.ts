import type { Next, QuestionStep, QuizStep, StepKind } from '../../contract/content.ts'
import { isAgeGroup, type AgeGroup } from '../../contract/ages.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'

/**
 * The quiz as pure rules: where a visitor is, what is chosen, what comes next. No browser, no store, no React
 * (section 4 of the first specification text; requirement IDs beside each rule).
 */

/** 'Welcome', or the number of a step from 1. */
export type Place = 'Welcome' | number

/** Q-06: the wait between choosing and moving on, in milliseconds. */
export const AUTO_ADVANCE_MS = 500

/** Q-01: the place an address names. No step: Welcome (Q-11); an unknown one: step 1. */
export function placeOf(step: string | null, total: number): Place {
  if (step === null || step === 'Welcome') return 'Welcome'
  return /^[1-9]\d{0,3}$/.test(step) && Number(step) <= total ? Number(step) : 1
}

/**
 * Q-01: one of the four age groups, else nothing. A bare "60+" reaches us as "60 ", because
 * "+" means a space in a query.
 */
export function ageOf(age: string | null): AgeGroup | undefined {
  const group = age?.replace(/ $/, '+')
  return isAgeGroup(group) ? group : undefined
}

/** The address of a place. */
export function addressOf(place: Place, age?: AgeGroup): string {
  return `/quiz?step=${place}${age ? `&age=${encodeURIComponent(age)}` : ''}`
}

/** Q-05: Next is there for multi-select or when configured. */
export function showsNext(step: QuestionStep): boolean {
  return step.multiSelect || step.showNext
}

/**
 * Q-09: with nothing chosen, nothing is saved and the quiz does not move on, except where the step is optional (step
 * 2).
 */
export function mayGoOn(step: QuestionStep, selection: readonly string[]): boolean {
  return selection.length > 0 || step.optional
}

/** Q-07: one tap on an option: toggles it in a multi-select, replaces a single choice. */
export function choose(step: QuestionStep, selection: readonly string[], value: string): string[] {
  if (!step.multiSelect) return [value]
  return selection.includes(value) ? selection.filter((one) => one !== value) : [...selection, value]
}

/** Q-08: an earlier answer is restored only where Next is shown; values that are no longer options are dropped. */
export function restore(step: QuestionStep, answers: QuizAnswers): string[] {
  if (!showsNext(step)) return []
  const stored = answers[step.storageKey]
  const values: readonly unknown[] = Array.isArray(stored) ? stored : [stored]
  const known = step.options.map(({ value }) => value).filter((value) => values.includes(value))
  return step.multiSelect ? known : known.slice(0, 1)
}

/** Q-14: a list for multi-select, a single value otherwise. */
export function answerOf(step: QuestionStep, selection: readonly string[]): string[] | string | undefined {
  return step.multiSelect ? [...selection] : selection[0]
}

/**
 * Screens without a percentage beside the bar: questions show current/total only, loaders have a percentage of their
 * own, and the e-mail screen's would be based on a different total than its neighbours'.
 */
const WITHOUT_PERCENT: readonly (StepKind | undefined)[] = ['question', 'loader', 'email', 'price']

/** Where a visitor is on a way of their own, which has at most `total` steps; the longest of all ways has `longest`. */
export interface Stretch {
  position: number
  total: number
  longest: number
}

/**
 * Q-03: what the bar shows: the step's number out of all numbered steps (the e-mail screen has its own total) and, on
 * screens to read, the percentage as a whole number, otherwise null. Where steps have conditions, the steps of the
 * visitor's own way are counted; the e-mail screen's total is shorter by as much as that way is.
 */
export function progressOf(
  steps: readonly QuizStep[],
  place: number,
  { position, total, longest }: Stretch = { position: place, total: steps.length, longest: steps.length },
): { current: number; total: number; percent: number | null } {
  const step = steps[place - 1]
  const shown = step?.kind === 'email' ? Math.max(position, step.shownTotal - (longest - total)) : total
  const percent = WITHOUT_PERCENT.includes(step?.kind) ? null : Math.round((position / total) * 100)
  return { current: position, total: shown, percent }
}

/** Q-12: the quiz is completed when it goes on to its last step (33), the price. */
export function completes(next: Next, total: number): boolean {
  return next === total
}

/**
 * Q-13: where a returning visitor may go on: not Welcome and not the very first step, which is the same as starting.
 * What is stored names the step by its key too: a publish may have moved it. Where it is gone, the visitor goes on with
 * the first question up to there that had to be answered and was not.
 */
export function resumablePlace(
  stored: string | null,
  steps: readonly QuizStep[],
  keys: readonly string[],
  answers: QuizAnswers,
): number | undefined {
  const [number, key] = (stored ?? '').split(' ')
  const asks = (step: QuizStep): boolean =>
    step.kind === 'question' && !step.optional && !step.showIf && !(step.storageKey in answers)
  const was = Number(number)
  const gone = (): number => Math.min(was, steps.findIndex(asks) + 1 || steps.length)
  const place = key ? keys.indexOf(key) + 1 || gone() : was
  return Number.isInteger(place) && place >= 2 && place <= steps.length ? place : undefined
}

/**
 * What stays when a visitor starts again: who they are and the figures drawn once per session (S-26), not the answers.
 */
export function startedAgain(answers: QuizAnswers, age: AgeGroup | undefined): QuizAnswers {
  const { ageGroup, eyeStrainIndex, visualAge, email } = answers
  const group = age ?? ageGroup
  return {
    ...(group ? { ageGroup: group } : {}),
    ...(eyeStrainIndex === undefined ? {} : { eyeStrainIndex }),
    // a Visual Age belongs to its age group
    ...(visualAge === undefined || group !== ageGroup ? {} : { visualAge }),
    ...(email === undefined ? {} : { email }),
  }
}

/**
 * S-03: the chosen symptoms by the specified names, an editor's own ones by their labels, in the order of the options;
 * `none` when there are none.
 */
export function symptomNames(
  steps: readonly QuizStep[],
  answers: QuizAnswers,
  labels: Readonly<Record<string, string>>,
  none: string,
): string {
  const chosen = answers.symptoms ?? []
  const step = steps.find((one): one is QuestionStep => one.kind === 'question' && one.storageKey === 'symptoms')
  const options = step?.options ?? Object.keys(labels).map((value) => ({ value, label: value }))
  const names = options.filter(({ value }) => chosen.includes(value)).map(({ value, label }) => labels[value] ?? label)
  return names.length > 0 ? names.join(', ') : none
}

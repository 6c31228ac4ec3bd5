/** A visitor's way through a quiz whose steps may have conditions. Places are numbers of steps from 1. */
import { holds, outlook, type Condition, type Known } from './condition.ts'

/** What of a step decides about the way. */
export interface WalkStep {
  /** Where the step leads once it was shown: a place, or a path that leaves the quiz. */
  next: number | string
  showIf?: Condition | undefined
  /** Of a question: where its answer is stored. */
  storageKey?: string
}

type Next = number | string

export const hasConditions = (steps: readonly WalkStep[]): boolean => steps.some(({ showIf }) => showIf)

/**
 * The first step that is shown from `next` on: a hidden one is passed over to the step below it, wherever it would lead
 * if it were shown. The last step ends the search (the publish check wants it shown to everybody).
 */
export function shownFrom<To extends Next>(steps: readonly WalkStep[], next: To, known: Known): To | number {
  if (typeof next !== 'number') return next
  for (let place: number = next; place < steps.length; place++) {
    const condition = steps[place - 1]?.showIf
    if (!condition || holds(condition, known)) return place
  }
  return steps.length
}

export interface Walk {
  /** The steps shown, in the order of the visitor. */
  places: readonly number[]
  /** Age group, campaign and the answers that count: those of the steps shown. */
  known: Known
}

/**
 * The walk that answers make: from the start to `until` (its own answer is left out), or to the end. `who`: age group
 * and campaign. Answers to questions that are not shown on the way stay stored but do not count.
 */
export function walk(steps: readonly WalkStep[], who: Known, answers: Known, until?: number): Walk {
  const known: Record<string, unknown> = { ...who }
  const places: number[] = []
  let place = shownFrom<Next>(steps, 1, known)
  while (typeof place === 'number' && !places.includes(place)) {
    places.push(place)
    if (place === until) break
    const { next, storageKey } = steps[place - 1] as WalkStep
    if (storageKey !== undefined) known[storageKey] = answers[storageKey]
    place = shownFrom<Next>(steps, next, known)
  }
  return { places, known }
}

/**
 * How many steps can still be shown after a place, at most, with every answer from there on open; never less than there
 * are, and with each step taken at least one less. Infinity where a step leads back: the order does not tell what is
 * still open.
 */
export function mostAfter(steps: readonly WalkStep[], from: number, known: Known): number {
  const open = new Set(steps.slice(from - 1).map(({ storageKey }) => storageKey ?? ''))
  const most: number[] = []
  const after = (next: Next): number => (typeof next === 'number' ? (most[next] ?? Infinity) : 0)
  for (let place = steps.length; place > from; place--) {
    const { next, showIf } = steps[place - 1] as WalkStep
    const { yes, no } = showIf && place < steps.length ? outlook(showIf, known, open) : { yes: true, no: false }
    most[place] = Math.max(yes ? after(next) + 1 : 0, no ? after(place + 1) : 0)
  }
  return after((steps[from - 1] as WalkStep).next)
}

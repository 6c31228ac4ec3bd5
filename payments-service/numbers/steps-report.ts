import type { Database } from '../../db/connect.ts'
import { type AnswerNumbers, readAnswers } from './answers.queries.ts'
import { type Query, readPeriod, textOf } from './period.ts'
import { type Change, changes, type StepNumbers, stepNumbers } from './steps.ts'
import { type Choices, readCells, readChoices, type Revision, type StepFilter } from './steps.queries.ts'

export interface StepsFilter extends StepFilter {
  /** null for all; '' for pages that did not say theirs. */
  revision: string | null
}

/** In an address: of pages that did not say their revision. */
export const UNSAID = '(unsaid)'

export function readStepFilter(query: Query): StepsFilter {
  const text = (name: string): string => textOf(query, name).slice(0, 60)
  const revision = text('revision')
  return {
    ...readPeriod(query),
    source: text('source'),
    language: text('language'),
    device: text('device'),
    revision: revision === UNSAID ? '' : revision || null,
  }
}

export interface StepsReport {
  choices: Choices
  steps: StepNumbers[]
  answers: AnswerNumbers[]
  /** The edit that is looked at, by its step: the chosen revision's, else the latest. */
  edit?: { revision: Revision; changes: ReadonlyMap<string, Change> }
}

/** Only what ten visitors share is counted apart: an unknown revision has no numbers. */
export async function readStepsReport(db: Database, filter: StepsFilter): Promise<StepsReport> {
  const { revision: chosen } = filter
  const choices = await readChoices(db, filter)
  const { revisions } = choices
  const at = chosen === null ? revisions.length - 1 : revisions.findIndex((one) => one.revision === chosen)
  const [earlier, revision] = [revisions[at - 1], revisions[at]]
  const apart = [earlier?.revision, revision?.revision, chosen].filter((one) => typeof one === 'string')
  const cells = await readCells(db, filter, chosen === null ? null : apart, apart)
  const stepsOf = (one: string): StepNumbers[] => stepNumbers(cells.filter((cell) => cell.revision === one))
  const steps = chosen === null ? stepNumbers(cells) : stepsOf(chosen)
  const answers = chosen === null || at >= 0 ? await readAnswers(db, filter, chosen) : []
  if (!earlier || !revision) return { choices, steps, answers }
  const found = changes(stepsOf(earlier.revision), stepsOf(revision.revision))
  const byStep = [...found].map(([step, change]) => [nameOf(step), change] as const)
  return { choices, steps, answers, edit: { revision, changes: new Map(byStep) } }
}

/** A step is the same in two revisions by its key. */
export const nameOf = ({ key, place }: StepNumbers): string => key || String(place)

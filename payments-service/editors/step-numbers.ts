import type { ResponseOf } from '../../contract/api/shapes.ts'
import { shareOf } from '../numbers/answers.queries.ts'
import { DEFINITIONS } from '../numbers/definitions.ts'
import { stayed, type StepNumbers } from '../numbers/steps.ts'
import { nameOf, type StepsFilter, type StepsReport } from '../numbers/steps-report.ts'
import { changeView, meanings, revisionView, withInterval } from './views.ts'

function figuresView({ figures }: StepNumbers) {
  if (!figures) return null
  const { entered, left, paid, medianSeconds } = figures
  const stay = withInterval(stayed(figures))
  return { entered, left, stayed: stay, medianSeconds, paid: withInterval({ part: paid, whole: entered }) }
}

/** The report as the Studio gets it. */
export function viewOf({ from, to }: StepsFilter, report: StepsReport): ResponseOf<'stepNumbers'> {
  const { choices, steps, edit, answers } = report
  const { visitor, entered, left, stepRate, medianSeconds, paidLater, answerShare } = DEFINITIONS
  return {
    from,
    to,
    choices: { ...choices, revisions: choices.revisions.map(revisionView) },
    steps: steps.map((step) => {
      const change = edit?.changes.get(nameOf(step))
      const { place, key } = step
      return { place, key, figures: figuresView(step), change: change ? changeView(change) : null }
    }),
    edit: edit ? revisionView(edit.revision) : null,
    answers: answers.map((one) => ({
      question: one.question,
      answered: one.answered,
      values: one.values.map(({ value, visitors }) => ({ value, share: withInterval(shareOf(one, visitors)) })),
    })),
    definitions: meanings([visitor, entered, left, stepRate, medianSeconds, paidLater, answerShare]),
  }
}

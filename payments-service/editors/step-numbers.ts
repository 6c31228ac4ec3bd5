import type { ResponseOf } from '../../contract/api/shapes.ts'
import type { ShareView } from '../../contract/api/numbers.ts'
import { shareOf } from '../numbers/answers.queries.ts'
import { DEFINITIONS } from '../numbers/definitions.ts'
import { type Share, wilson } from '../numbers/intervals.ts'
import { type Change, stayed, type StepNumbers } from '../numbers/steps.ts'
import type { Revision } from '../numbers/steps.queries.ts'
import { nameOf, type StepsFilter, type StepsReport } from '../numbers/steps-report.ts'

const rounded = (fraction: number): number => Math.round(fraction * 10_000) / 10_000

function withInterval(share: Share): ShareView {
  const { low, high } = wilson(share)
  return { share: rounded(share.part / share.whole), low: rounded(low), high: rounded(high) }
}

const revisionView = ({ revision, firstSeen }: Revision) => ({ revision, firstSeen: firstSeen.toISOString() })

function changeView({ before, after, verdict }: Change) {
  return {
    before: rounded(before.part / before.whole),
    after: rounded(after.part / after.whole),
    visitors: after.whole,
    verdict,
  }
}

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
    definitions: [visitor, entered, left, stepRate, medianSeconds, paidLater, answerShare].map(({ name, means }) => ({
      name,
      means,
    })),
  }
}

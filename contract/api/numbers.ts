/** The numbers of each step of the quiz, as editors see them beside its words (docs/metrics.md). */
import { z } from 'zod'
import { moment } from './parts.ts'

const fraction = z.number().min(0).max(1)
const count = z.number().int().min(0)
/** Never without the interval of 95 %. */
const share = z.strictObject({ share: fraction, low: fraction, high: fraction })
export type ShareView = z.infer<typeof share>

/** Of ten visitors or more. */
const figures = z.strictObject({ entered: count, left: count, stayed: share, medianSeconds: count, paid: share })

const change = z.strictObject({
  /** Step rates of the edit before and of this one. */
  before: fraction,
  after: fraction,
  visitors: count,
  verdict: z.enum(['higher', 'lower', 'too few to tell yet']),
})

const step = z.strictObject({
  /** 0 Welcome, 1..n. */
  place: count,
  /** The step's `_key`; '' of pages that did not say it. */
  key: z.string(),
  figures: figures.nullable(),
  change: change.nullable(),
})
export type StepView = z.infer<typeof step>

const question = z.strictObject({
  /** Its storage key. */
  question: z.string(),
  answered: count,
  /** By stored values; one that fewer than ten visitors gave is not among them. */
  values: z.array(z.strictObject({ value: z.string(), share })),
})
export type AnswersOfQuestion = z.infer<typeof question>

const revision = z.strictObject({ revision: z.string(), firstSeen: moment })

const stepNumbersView = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  /** What ten visitors of the period share; revisions of the quiz are the oldest first. */
  choices: z.strictObject({
    sources: z.array(z.string()),
    languages: z.array(z.string()),
    devices: z.array(z.string()),
    revisions: z.array(revision),
  }),
  steps: z.array(step),
  /** The edit that `change` compares with the one before it. */
  edit: revision.nullable(),
  answers: z.array(question),
  /** What the numbers mean. */
  definitions: z.array(z.strictObject({ name: z.string(), means: z.string() })),
})
export type StepNumbersView = z.infer<typeof stepNumbersView>

export const numbersShapes = {
  stepNumbers: {
    summary: 'The numbers of each step of the quiz, for an editor who is signed in at the content lake',
    answer: stepNumbersView,
  },
}

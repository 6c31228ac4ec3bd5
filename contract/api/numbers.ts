/** The numbers of each step and page of the funnel, as editors see them beside its words (docs/metrics.md). */
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

/** What the numbers mean. */
const definitions = z.array(z.strictObject({ name: z.string(), means: z.string() }))

/** What ten visitors of the period share. */
const choices = z.strictObject({
  sources: z.array(z.string()),
  languages: z.array(z.string()),
  devices: z.array(z.string()),
})

const stepNumbersView = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Revisions of the quiz are the oldest first. */
  choices: choices.extend({ revisions: z.array(revision) }),
  steps: z.array(step),
  /** The edit that `change` compares with the one before it. */
  edit: revision.nullable(),
  answers: z.array(question),
  definitions,
})
export type StepNumbersView = z.infer<typeof stepNumbersView>

const page = z.strictObject({
  /** The document that it is made of. */
  page: z.enum(['landing', 'checkout', 'offer', 'upsell']),
  /** `paid`: of the add-ons, bought one. */
  figures: z.strictObject({ entered: count, wentOn: count, left: count, stayed: share, paid: share }).nullable(),
  /** Of its document, the oldest first. */
  revisions: z.array(revision),
  /** The edit that `change` compares with the one before it. */
  edit: revision.nullable(),
  change: change.nullable(),
})
export type PageView = z.infer<typeof page>

const pageNumbersView = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Of visitors of one of the pages. */
  choices,
  pages: z.array(page),
  definitions,
})
export type PageNumbersView = z.infer<typeof pageNumbersView>

export const numbersShapes = {
  pageNumbers: {
    summary: 'The numbers of the pages before and after the quiz, for an editor who is signed in at the content lake',
    answer: pageNumbersView,
  },
  stepNumbers: {
    summary: 'The numbers of each step of the quiz, for an editor who is signed in at the content lake',
    answer: stepNumbersView,
  },
}

import type { Claim, PressMention, Seo, Testimonial } from './content-parts.ts'

/** The quiz as its editors wrote it: one shape a kind of step. */

/** Where a step leads: a step number, or a path that leaves the quiz. */
export type Next = number | `/${string}`

interface StepBase {
  /** Key of the array item: address for click-to-edit. */
  key: string
  title: string
  next: Next
}

export interface Option {
  key: string
  /** Stable; see contract/quiz.ts. */
  value: string
  label: string
  description?: string
  /** Name of a drawn icon of the site, or the colour of a swatch. */
  icon?: string
  feedback?: { status: 'good' | 'moderate' | 'caution' | 'warning'; title: string; text: string }
}

export interface QuestionStep extends StepBase {
  kind: 'question'
  storageKey: string
  /** May carry {symptoms}: the labels of the chosen symptoms (S-03). */
  subtitle: string | null
  hint: string | null
  multiSelect: boolean
  showNext: boolean
  /** True where none may be chosen (step 2). */
  optional: boolean
  layout: 'list' | 'swatches' | 'cards'
  options: Option[]
}

export interface InfoStep extends StepBase {
  kind: 'info'
  eyebrow: string | null
  body: string | null
  facts: Claim[]
  /** A small chart beside the text. */
  chart: 'none' | 'dry_eyes' | 'blink_rate' | 'drain_index' | 'astigmatism' | 'workout' | 'motivation'
  button: string
  floatingButton: boolean
}

export interface LoaderStep extends StepBase {
  kind: 'loader'
  durationMs: number
  /** Fade between messages. */
  fadeMs: number
  messages: string[]
  showPercent: boolean
}

export interface EmailStep extends StepBase {
  kind: 'email'
  label: string
  inputPlaceholder: string
  button: string
  note: string
  /** the total this screen shows (32). */
  shownTotal: number
}

export interface RiskStep extends StepBase {
  kind: 'risk'
  percent: number
  youLabel: string
  withLabel: string
  strainTitle: string
  strainItems: string[]
  wellnessTitle: string
  wellnessItems: string[]
  button: string
}

export interface SummaryStep extends StepBase {
  kind: 'summary'
  indexLabel: string
  indexText: string
  visualAgeLabel: string
  visualAgeText: string
  warningTitle: string
  warningText: string
  /** S-26: says that the figures are illustrative; null = switched off. */
  caption: string | null
  button: string
}

export interface RecoveryStep extends StepBase {
  kind: 'recovery'
  label: string
  verySlowText: string
  slowText: string
  button: string
}

export interface PlanStep extends StepBase {
  kind: 'plan'
  bullets: string[]
  button: string
}

export interface TimelineStep extends StepBase {
  kind: 'timeline'
  weeks: { key: string; title: string; text: string }[]
  button: string
}

export interface PressStep extends StepBase {
  kind: 'press'
  mentions: PressMention[]
  button: string
}

export interface TestimonialsStep extends StepBase {
  kind: 'testimonials'
  testimonials: Testimonial[]
  button: string
}

export interface PriceStep extends StepBase {
  kind: 'price'
  intro: string
  note: string
  button: string
}

export type QuizStep =
  | QuestionStep
  | InfoStep
  | LoaderStep
  | EmailStep
  | RiskStep
  | SummaryStep
  | RecoveryStep
  | PlanStep
  | TimelineStep
  | PressStep
  | TestimonialsStep
  | PriceStep
export type StepKind = QuizStep['kind']

export interface QuizContent {
  seo: Seo
  welcome: {
    title: string
    /** With {ageGroup}; `textWithoutAge` when none was chosen. */
    text: string
    textWithoutAge: string
    button: string
    resumeText: string
    resumeButton: string
    restartButton: string
  }
  /** Step 1 is steps[0]. */
  steps: QuizStep[]
}

export interface TimelineWeek {
  key: string
  title: string
  text: string
  locked: boolean
}

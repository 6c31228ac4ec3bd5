import { z } from 'zod'
import { conditionOf, type Condition } from '../condition.ts'
import { claim, flag, key, keyed, listOf, optionalText, references, seo, text, texts, unlessCleared } from './fields.ts'
import { leadsTo } from '../leads-to.ts'
import { pictureFields, type Pictures } from './pictures.ts'

/** The quiz as its editors write it: one shape per kind of step. */

/** Where a step leads: a step number, or a path that leaves the quiz. */
export type Next = number | `/${string}`

// Sanity's array item types; `_key` is the address for click-to-edit
const base = { _key: key, title: text, next: optionalText, showIf: z.unknown().optional() }
const button = text

const option = z
  .object({
    _key: key,
    /** Stable; see contract/quiz.ts. */
    value: text,
    label: text,
    description: optionalText,
    /** Name of one of the site's icons, or the colour of a swatch. */
    icon: optionalText,
    feedback: unlessCleared(
      z.object({ status: z.enum(['good', 'moderate', 'caution', 'warning']), title: text, text }),
      'title',
      'text',
    ),
  })
  .transform(({ _key, value, label, ...more }) => ({ key: _key, value, label, ...withoutNulls(more) }))
export type Option = z.infer<typeof option>

type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Removes fields that are not set, because a page may list dozens of options. */
function withoutNulls<T extends object>(fields: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>
}

function stepSchemas(pictures: Pictures) {
  const { testimonial, pressMention } = pictureFields(pictures)
  return z.discriminatedUnion(
    '_type',
    [
      z.object({
        _type: z.literal('questionStep'),
        ...base,
        storageKey: text,
        /** May contain {symptoms}: the labels of the chosen symptoms (S-03). */
        subtitle: optionalText,
        hint: optionalText,
        multiSelect: flag,
        showNext: flag,
        /** True if choosing none is allowed (step 2). */
        optional: flag,
        layout: z.enum(['list', 'swatches', 'cards']),
        options: z.array(option).min(2, 'needs at least two options'),
      }),
      z.object({
        _type: z.literal('infoStep'),
        ...base,
        eyebrow: optionalText,
        body: optionalText,
        facts: listOf(claim),
        /** A small chart beside the text. */
        chart: z.enum(['none', 'dry_eyes', 'blink_rate', 'drain_index', 'astigmatism', 'workout', 'motivation']),
        button,
        floatingButton: flag,
      }),
      z.object({
        _type: z.literal('loaderStep'),
        ...base,
        durationMs: z.number().int().min(500, 'is shorter than half a second').max(20_000, 'is longer than 20 seconds'),
        /** Fade between messages. */
        fadeMs: z.number().int().min(0).max(5_000),
        messages: texts,
        showPercent: flag,
      }),
      z.object({
        _type: z.literal('emailStep'),
        ...base,
        label: text,
        inputPlaceholder: text,
        button,
        note: text,
        /** the total this screen shows (32). */
        shownTotal: z.number().int().min(1),
      }),
      z.object({
        _type: z.literal('riskStep'),
        ...base,
        percent: z.number().min(0).max(100),
        youLabel: text,
        withLabel: text,
        strainTitle: text,
        strainItems: texts,
        wellnessTitle: text,
        wellnessItems: texts,
        button,
      }),
      z.object({
        _type: z.literal('summaryStep'),
        ...base,
        indexLabel: text,
        indexText: text,
        visualAgeLabel: text,
        visualAgeText: text,
        warningTitle: text,
        warningText: text,
        /** S-26: says that the figures are illustrative; null = switched off. */
        caption: optionalText,
        button,
      }),
      z.object({ _type: z.literal('recoveryStep'), ...base, label: text, verySlowText: text, slowText: text, button }),
      z.object({ _type: z.literal('planStep'), ...base, bullets: texts, button }),
      z.object({
        _type: z.literal('timelineStep'),
        ...base,
        weeks: z.array(keyed(z.object({ title: text, text }))).min(1, 'needs at least one week'),
        button,
      }),
      z.object({ _type: z.literal('pressStep'), ...base, mentions: references(pressMention), button }),
      z.object({ _type: z.literal('testimonialsStep'), ...base, testimonials: references(testimonial), button }),
      z.object({ _type: z.literal('priceStep'), ...base, intro: text, note: text, button }),
    ],
    { error: 'is of a kind that the quiz does not know' },
  )
}

type SanityStep = z.infer<ReturnType<typeof stepSchemas>>
type StepOf<S, N> = S extends { _type: `${infer Kind}Step` }
  ? Omit<S, '_type' | '_key' | 'next' | 'showIf'> & {
      kind: Kind
      next: N
      /** Without one, everybody is shown the step. */
      showIf?: Condition
    }
  : never
export type QuizStep = StepOf<SanityStep, Next>
/** A step with the key of its array item, by which its views are counted. */
type Keyed<Step> = Step & { key: string }
export type StepKind = QuizStep['kind']

export type QuestionStep = Extract<QuizStep, { kind: 'question' }>
export type InfoStep = Extract<QuizStep, { kind: 'info' }>
export type LoaderStep = Extract<QuizStep, { kind: 'loader' }>
export type EmailStep = Extract<QuizStep, { kind: 'email' }>
export type RiskStep = Extract<QuizStep, { kind: 'risk' }>
export type SummaryStep = Extract<QuizStep, { kind: 'summary' }>
export type RecoveryStep = Extract<QuizStep, { kind: 'recovery' }>
export type PlanStep = Extract<QuizStep, { kind: 'plan' }>
export type TimelineStep = Extract<QuizStep, { kind: 'timeline' }>
export type PressStep = Extract<QuizStep, { kind: 'press' }>
export type TestimonialsStep = Extract<QuizStep, { kind: 'testimonials' }>
export type PriceStep = Extract<QuizStep, { kind: 'price' }>

// `questionStep` → kind `question`
function unnumbered({ _type, _key, showIf, ...fields }: SanityStep, context: z.RefinementCtx) {
  const kind = _type.slice(0, -'Step'.length)
  const step = { kind, key: _key, ...fields } as Keyed<StepOf<SanityStep, string | null>>
  const condition = readCondition(showIf, context)
  return condition ? { ...step, showIf: condition } : step
}

function readCondition(showIf: unknown, context: z.RefinementCtx): Condition | undefined {
  try {
    return conditionOf(showIf)
  } catch (error) {
    context.addIssue({ code: 'custom', path: ['showIf'], message: (error as TypeError).message })
    return undefined
  }
}

/** The quiz document → QuizContent. Steps get their numbers from their order. */
export function quizSchema(pictures: Pictures) {
  const steps = z
    .array(stepSchemas(pictures).transform(unnumbered))
    .min(1, 'has no steps')
    .transform((items, context) => {
      const keys = items.map(({ key }) => key)
      return items.map((step, index) => {
        const next = leadsTo(step.next, index, keys)
        if (next === undefined) {
          const to = step.next === null ? 'nothing: the last step needs a path' : `"${step.next}", which is no step`
          context.addIssue({ code: 'custom', path: [index, 'next'], message: `leads to ${to}` })
        }
        return { ...step, next: next ?? 1 } as Keyed<QuizStep>
      })
    })
  return z.object({
    /** Of the published document: what its numbers are split by. */
    revision: optionalText,
    seo,
    welcome: z.object({
      title: text,
      /** Contains {ageGroup}; `textWithoutAge` is used when none was chosen. */
      text,
      textWithoutAge: text,
      button,
      resumeText: text,
      resumeButton: text,
      restartButton: text,
    }),
    /** Step 1 is steps[0]. */
    steps,
  })
}
export type QuizContent = z.infer<ReturnType<typeof quizSchema>>

import { z } from 'zod'
import type { Next, Option, QuizContent, QuizStep } from '../../contract/content.ts'
import { claim, flag, key, keyed, listOf, optionalText, pictureFields, references, seo, text, texts } from './fields.ts'
import type { Pictures } from './picture.ts'

type Unnumbered<Step> = Step extends QuizStep ? Omit<Step, 'next'> & { next: string | null } : never

// Sanity's array item types, in the words of contract/content.ts
const base = { _key: key, title: text, next: optionalText }
const button = text

const option: z.ZodType<Option> = z
  .object({
    _key: key,
    value: text,
    label: text,
    description: optionalText,
    icon: optionalText,
    feedback: z.object({ status: z.enum(['good', 'moderate', 'caution', 'warning']), title: text, text }).nullish(),
  })
  .transform(({ _key, value, label, description, icon, feedback }) => ({
    key: _key,
    value,
    label,
    ...(description === null ? {} : { description }),
    ...(icon === null ? {} : { icon }),
    ...(feedback ? { feedback } : {}),
  }))

function stepSchemas(pictures: Pictures) {
  const { testimonial, pressMention } = pictureFields(pictures)
  return z.discriminatedUnion(
    '_type',
    [
      z.object({
        _type: z.literal('questionStep'),
        ...base,
        storageKey: text,
        subtitle: optionalText,
        hint: optionalText,
        multiSelect: flag,
        showNext: flag,
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
        chart: z.enum(['none', 'dry_eyes', 'blink_rate', 'drain_index', 'astigmatism', 'workout', 'motivation']),
        button,
        floatingButton: flag,
      }),
      z.object({
        _type: z.literal('loaderStep'),
        ...base,
        durationMs: z.number().int().min(500, 'is shorter than half a second').max(20_000, 'is longer than 20 seconds'),
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

// `questionStep` → kind `question`
function unnumbered({ _type, _key, ...fields }: z.output<ReturnType<typeof stepSchemas>>): Unnumbered<QuizStep> {
  return { kind: _type.slice(0, -'Step'.length), key: _key, ...fields } as Unnumbered<QuizStep>
}

/** Where a step leads: empty = the step after it; else a step number within the quiz, or a path. */
function nextOf(next: string | null, index: number, total: number): Next | undefined {
  if (next === null) return index + 1 < total ? index + 2 : undefined
  if (/^\/(?!\/)/.test(next)) return next as `/${string}`
  const step = /^\d+$/.test(next) ? Number(next) : 0
  return step >= 1 && step <= total ? step : undefined
}

/** The quiz document → QuizContent. Steps get their numbers from their order (Q-03, Q-04). */
export function quizSchema(pictures: Pictures): z.ZodType<QuizContent> {
  const steps = z
    .array(stepSchemas(pictures).transform(unnumbered))
    .min(1, 'has no steps')
    .transform((items, context) =>
      items.map((step, index) => {
        const next = nextOf(step.next, index, items.length)
        if (next === undefined) {
          const message = `leads to ${step.next === null ? 'nothing: the last step needs a path' : `"${step.next}", which is no step`}`
          context.addIssue({ code: 'custom', path: [index, 'next'], message })
        }
        return { ...step, next: next ?? 1 } as QuizStep
      }),
    )
  return z.object({
    seo,
    welcome: z.object({
      title: text,
      text,
      textWithoutAge: text,
      button,
      resumeText: text,
      resumeButton: text,
      restartButton: text,
    }),
    steps,
  })
}

import { ActivityIcon } from '@sanity/icons/Activity'
import { CalendarIcon } from '@sanity/icons/Calendar'
import { CheckmarkIcon } from '@sanity/icons/Checkmark'
import { ClockIcon } from '@sanity/icons/Clock'
import { CommentIcon } from '@sanity/icons/Comment'
import { DashboardIcon } from '@sanity/icons/Dashboard'
import { DocumentTextIcon } from '@sanity/icons/DocumentText'
import { EnvelopeIcon } from '@sanity/icons/Envelope'
import { InfoOutlineIcon } from '@sanity/icons/InfoOutline'
import { TagIcon } from '@sanity/icons/Tag'
import { TrendUpwardIcon } from '@sanity/icons/TrendUpward'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { line, lines, paragraph, references } from '../fields.ts'

/** Every kind of step begins with its title and ends with where it leads. */
const title = line('title', 'Title', 'The question or heading of this step.', { max: 140 })
const button = line('button', 'Button', 'What the button says.', { max: 40, initialValue: 'Continue' })
const next = defineField({
  name: 'next',
  title: 'Leads to',
  description:
    'Leave empty to go on with the step below this one: then you can drag steps freely. Else the number of a step, or an address such as /checkout.',
  type: 'string',
  validation: (rule) =>
    rule.regex(/^(\d+|\/[a-z].*)$/).error('A step number, an address such as /checkout, or nothing.'),
})
const preview = (kind: string, subtitle?: string) => ({
  select: { title: 'title', subtitle: subtitle ?? 'title', next: 'next' },
  prepare: (selection: Record<string, string | undefined>) => ({
    title: selection['title'] ?? 'No title yet',
    subtitle: [
      kind,
      subtitle ? selection['subtitle'] : undefined,
      selection['next'] ? `leads to ${selection['next']}` : undefined,
    ]
      .filter(Boolean)
      .join(' · '),
  }),
})

const infoStep = defineType({
  name: 'infoStep',
  title: 'Information',
  icon: InfoOutlineIcon,
  type: 'object',
  fields: [
    title,
    line('eyebrow', 'Small line above the title', 'For example “Did you know?”. Optional.', {
      optional: true,
      max: 50,
    }),
    paragraph('body', 'Text', 'A few sentences. Optional.', { optional: true, max: 400 }),
    defineField({
      name: 'facts',
      title: 'Facts',
      description: 'Statements with their sources. Drag to change the order.',
      type: 'array',
      of: [defineArrayMember({ type: 'claim' })],
      validation: (rule) => rule.max(6),
    }),
    defineField({
      name: 'chart',
      title: 'Chart',
      description: 'A small drawing beside the facts. Its numbers are fixed: choose “None” when you change the facts.',
      type: 'string',
      initialValue: 'none',
      options: {
        list: [
          { title: 'None', value: 'none' },
          { title: 'Tired eyes: 80 %, 1 in 5', value: 'dry_eyes' },
          { title: 'Blink rate: 15–20 to 5–7', value: 'blink_rate' },
          { title: 'Eye Drain Index through a day', value: 'drain_index' },
          { title: 'Astigmatism: 30 %, 60 %', value: 'astigmatism' },
          { title: 'Eye workout: 30 %, 78 %', value: 'workout' },
          { title: 'Five minutes a day', value: 'motivation' },
        ],
      },
      validation: (rule) => rule.required(),
    }),
    button,
    defineField({
      name: 'floatingButton',
      title: 'Button stays in view',
      description: 'The button floats at the bottom while the visitor reads.',
      type: 'boolean',
      initialValue: false,
    }),
    next,
  ],
  preview: preview('Information', 'facts.0.text'),
})

const loaderStep = defineType({
  name: 'loaderStep',
  title: 'Loader',
  icon: ClockIcon,
  type: 'object',
  description: 'Goes on by itself when its time is over.',
  fields: [
    title,
    defineField({
      name: 'durationMs',
      title: 'Duration in milliseconds',
      description: '6500 are six and a half seconds. The messages share the time.',
      type: 'number',
      initialValue: 6000,
      validation: (rule) => rule.required().integer().min(500).max(20000).error('Between 500 and 20000.'),
    }),
    defineField({
      name: 'fadeMs',
      title: 'Fade between messages in milliseconds',
      description: 'Usually 600.',
      type: 'number',
      initialValue: 600,
      validation: (rule) => rule.required().integer().min(0).max(5000).error('Between 0 and 5000.'),
    }),
    lines('messages', 'Messages', 'Shown one after the other.'),
    defineField({
      name: 'showPercent',
      title: 'Show the percent in a circle',
      description: 'Off: messages only.',
      type: 'boolean',
      initialValue: true,
    }),
    next,
  ],
  preview: preview('Loader', 'messages.0'),
})

const emailStep = defineType({
  name: 'emailStep',
  title: 'E-mail address',
  icon: EnvelopeIcon,
  type: 'object',
  description: 'Exactly one in the quiz.',
  fields: [
    title,
    line('label', 'Label of the field', 'Above the field.', { max: 60 }),
    line('inputPlaceholder', 'Example in the field', 'Grey, disappears while typing.', { max: 60 }),
    { ...button, initialValue: 'SEE MY RESULTS' },
    line('note', 'Note under the button', 'What happens with the address.'),
    defineField({
      name: 'shownTotal',
      title: 'Total shown on this screen',
      description: 'The progress says “step 23 of …”. It may differ from the real number of steps.',
      type: 'number',
      initialValue: 32,
      validation: (rule) => rule.required().integer().min(1),
    }),
    next,
  ],
  preview: preview('E-mail address'),
})

const riskStep = defineType({
  name: 'riskStep',
  title: 'Risk meter',
  icon: DashboardIcon,
  type: 'object',
  fields: [
    title,
    defineField({
      name: 'percent',
      title: 'Position on the meter in percent',
      description: 'Where the needle stands.',
      type: 'number',
      initialValue: 32,
      validation: (rule) => rule.required().min(0).max(100),
    }),
    line('youLabel', 'Label of the visitor', 'Say the same number as above.', { max: 60 }),
    line('withLabel', 'Label of the goal', 'Has to name {product}.', { max: 60 }),
    line('strainTitle', 'Heading of the strain list', 'Left or upper list.', { max: 60 }),
    lines('strainItems', 'Strain list', 'Short phrases.'),
    line('wellnessTitle', 'Heading of the wellness list', 'Right or lower list.', { max: 60 }),
    lines('wellnessItems', 'Wellness list', 'Short phrases, in the same order.'),
    button,
    next,
  ],
  preview: preview('Risk meter'),
})

const summaryStep = defineType({
  name: 'summaryStep',
  title: 'Summary',
  icon: ActivityIcon,
  type: 'object',
  description: 'Exactly one in the quiz. The figures are drawn once for each visitor.',
  fields: [
    title,
    line('indexLabel', 'Name of the index', 'Above the number.', { max: 60 }),
    paragraph('indexText', 'Text for the index', 'What a higher number means.', { max: 300 }),
    line('visualAgeLabel', 'Name of the Visual Age', 'Above the number.', { max: 60 }),
    paragraph('visualAgeText', 'Text for the Visual Age', 'May say {ageBucket}, for example 40’s.', { max: 300 }),
    line('warningTitle', 'Heading of the warning', 'Short.', { max: 60 }),
    paragraph('warningText', 'Warning', 'Calm and true.', { max: 400 }),
    line(
      'caption',
      'Caption',
      'Says that the figures are illustrative. Please keep it: without it the page claims a measurement.',
      { optional: true },
    ),
    button,
    next,
  ],
  preview: preview('Summary'),
})

const recoveryStep = defineType({
  name: 'recoveryStep',
  title: 'Recovery speed',
  icon: TrendUpwardIcon,
  type: 'object',
  description: 'Exactly one in the quiz. The speed is computed from symptoms, frequency, screen time and breaks.',
  fields: [
    title,
    line('label', 'Name of the scale', 'Above the slider.', { max: 60 }),
    paragraph('verySlowText', 'Text for “Very slow”', 'Explains the result and what helps.', { max: 400 }),
    paragraph('slowText', 'Text for “Slow”', 'Explains the result and what helps.', { max: 400 }),
    button,
    next,
  ],
  preview: preview('Recovery speed'),
})

const planStep = defineType({
  name: 'planStep',
  title: 'Plan benefits',
  icon: CheckmarkIcon,
  type: 'object',
  fields: [title, lines('bullets', 'Benefits', 'Five short lines.'), button, next],
  preview: preview('Plan benefits', 'bullets.0'),
})

const timelineWeek = defineType({
  name: 'timelineWeek',
  title: 'Week',
  type: 'object',
  fields: [
    line('title', 'Title', 'For example “Week 1: Rest and release”.', { max: 60 }),
    paragraph('text', 'Text', 'What happens in this week.', { max: 240 }),
  ],
})

const timelineStep = defineType({
  name: 'timelineStep',
  title: 'Timeline',
  icon: CalendarIcon,
  type: 'object',
  fields: [
    title,
    defineField({
      name: 'weeks',
      title: 'Weeks',
      description: 'Drag to change the order.',
      type: 'array',
      of: [defineArrayMember({ type: 'timelineWeek' })],
      validation: (rule) => rule.required().min(1).max(6),
    }),
    button,
    next,
  ],
  preview: preview('Timeline', 'weeks.0.title'),
})

const pressStep = defineType({
  name: 'pressStep',
  title: 'Press',
  icon: DocumentTextIcon,
  type: 'object',
  fields: [
    title,
    references('mentions', 'Press mentions', 'Shown one below the other.', 'pressMention', 1, 6),
    button,
    next,
  ],
  preview: preview('Press', 'mentions.0.outlet'),
})

const testimonialsStep = defineType({
  name: 'testimonialsStep',
  title: 'Testimonials',
  icon: CommentIcon,
  type: 'object',
  fields: [
    title,
    references('testimonials', 'Testimonials', 'One is shown large, several as cards.', 'testimonial', 1, 8),
    button,
    next,
  ],
  preview: preview('Testimonials', 'testimonials.0.name'),
})

const priceStep = defineType({
  name: 'priceStep',
  title: 'Trial price',
  icon: TagIcon,
  type: 'object',
  description: 'Exactly one, and the last step. The prices come from the catalogue.',
  fields: [
    title,
    paragraph(
      'intro',
      'Text above the prices',
      'Says what all prices open and what follows after the trial: {monthlyPrice}, {renewalDays}.',
      { max: 400 },
    ),
    line('note', 'Note', 'Has to say {actualPrice}, the actual cost of the trial.'),
    { ...button, initialValue: 'CONTINUE' },
    { ...next, initialValue: '/checkout' },
  ],
  preview: preview('Trial price'),
})

export const plainSteps = [
  infoStep,
  loaderStep,
  emailStep,
  riskStep,
  summaryStep,
  recoveryStep,
  planStep,
  timelineWeek,
  timelineStep,
  pressStep,
  testimonialsStep,
  priceStep,
]
export const stepParts = { title, next }

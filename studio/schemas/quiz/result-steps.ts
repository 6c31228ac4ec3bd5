/** Steps that show what the answers mean and what the programme makes of it. */
import { ActivityIcon } from '@sanity/icons/Activity'
import { CalendarIcon } from '@sanity/icons/Calendar'
import { CheckmarkIcon } from '@sanity/icons/Checkmark'
import { DashboardIcon } from '@sanity/icons/Dashboard'
import { TrendUpwardIcon } from '@sanity/icons/TrendUpward'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { line, lines, paragraph } from '../fields.ts'
import { button, next, preview, showIf, title } from './step-parts.ts'

export const riskStep = defineType({
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
    showIf,
  ],
  preview: preview('Risk meter'),
})

export const summaryStep = defineType({
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
    showIf,
  ],
  preview: preview('Summary'),
})

export const recoveryStep = defineType({
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
    showIf,
  ],
  preview: preview('Recovery speed'),
})

export const planStep = defineType({
  name: 'planStep',
  title: 'Plan benefits',
  icon: CheckmarkIcon,
  type: 'object',
  fields: [title, lines('bullets', 'Benefits', 'Five short lines.'), button, next, showIf],
  preview: preview('Plan benefits', 'bullets.0'),
})

export const timelineWeek = defineType({
  name: 'timelineWeek',
  title: 'Week',
  type: 'object',
  fields: [
    line('title', 'Title', 'For example “Week 1: Rest and release”.', { max: 60 }),
    paragraph('text', 'Text', 'What happens in this week.', { max: 240 }),
  ],
})

export const timelineStep = defineType({
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
    showIf,
  ],
  preview: preview('Timeline', 'weeks.0.title'),
})

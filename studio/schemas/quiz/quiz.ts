import { HelpCircleIcon } from '@sanity/icons/HelpCircle'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { line, paragraph, sampleMark, seoField } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'
import { StepItem } from './StepItem.tsx'

const kinds = [
  'questionStep',
  'infoStep',
  'loaderStep',
  'emailStep',
  'riskStep',
  'summaryStep',
  'recoveryStep',
  'planStep',
  'timelineStep',
  'pressStep',
  'testimonialsStep',
  'priceStep',
]

export const quiz = defineType({
  name: 'quiz',
  title: 'Quiz',
  type: 'document',
  icon: HelpCircleIcon,
  validation: publishCheck(),
  groups: [
    { name: 'steps', title: 'Steps', default: true },
    { name: 'welcome', title: 'Welcome' },
    { name: 'page', title: 'Page' },
  ],
  fields: [
    defineField({
      name: 'steps',
      title: 'Steps',
      description:
        'The quiz in its order. Drag to move a step; the numbers follow. Publishing stops when a visitor ' +
        'could get stuck.',
      type: 'array',
      group: 'steps',
      of: kinds.map((type) => defineArrayMember({ type, components: { item: StepItem as never } })),
      validation: (rule) => rule.required().min(1).max(99),
    }),
    defineField({
      name: 'welcome',
      title: 'Welcome',
      description: 'The screen before the first step.',
      type: 'object',
      group: 'welcome',
      validation: (rule) => rule.required(),
      fields: [
        line('title', 'Heading', 'Congratulates on beginning.', { max: 80 }),
        paragraph('text', 'Text with the age group', 'Has to say {ageGroup}.', { max: 300 }),
        paragraph('textWithoutAge', 'Text without an age group', 'For visitors who chose none.', { max: 300 }),
        line('button', 'Button', 'Starts the quiz.', { max: 40 }),
        line('resumeText', 'Welcome back', 'For visitors with earlier answers.'),
        line('resumeButton', 'Button to go on', 'Leads to where they were.', { max: 40 }),
        line('restartButton', 'Button to start again', 'Begins at step 1.', { max: 40 }),
      ],
    }),
    seoField('page'),
    sampleMark('page'),
  ],
  preview: {
    select: { steps: 'steps' },
    prepare: ({ steps }) => ({
      title: 'Quiz',
      subtitle: `${Array.isArray(steps) ? steps.length : Object.keys(steps ?? {}).length} steps`,
    }),
  },
})

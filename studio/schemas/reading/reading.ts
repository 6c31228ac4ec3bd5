import { SparklesIcon } from '@sanity/icons/Sparkles'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { line, lines, paragraph, sampleMark } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

const INSIGHTS = ['starseed', 'soul', 'origins', 'energies', 'awakening', 'guidance']

const insightTitle = defineType({
  name: 'insightTitle',
  title: 'Result',
  type: 'object',
  fields: [
    defineField({
      name: 'insight',
      title: 'For the answer',
      description: 'Stored value of the visitor’s insight.',
      type: 'string',
      options: { list: INSIGHTS },
      validation: (rule) => rule.required(),
    }),
    line('title', 'Title', 'Heading of the result.', { max: 80 }),
    paragraph('text', 'Text', 'Two sentences.', { max: 400 }),
  ],
  preview: { select: { title: 'title', subtitle: 'insight' } },
})

const reading = defineType({
  name: 'reading',
  title: 'Reading product',
  type: 'document',
  icon: SparklesIcon,
  description: 'The older product. Switch it on or off in the settings.',
  validation: publishCheck(),
  groups: [
    { name: 'result', title: 'Result', default: true },
    { name: 'payment', title: 'Payment' },
  ],
  fields: [
    defineField({
      name: 'titles',
      title: 'Results',
      description: 'One for each insight. Drag to change the order.',
      type: 'array',
      group: 'result',
      of: [defineArrayMember({ type: 'insightTitle' })],
      validation: (rule) => rule.required().min(1).max(6),
    }),
    line('defaultTitle', 'Title without an insight', 'Heading of the result.', { group: 'result', max: 80 }),
    paragraph('defaultText', 'Text without an insight', 'Two sentences.', { group: 'result', max: 400 }),
    line('packageTitle', 'Name of the package', 'Its price comes from the catalogue.', { group: 'result', max: 60 }),
    paragraph('packageText', 'Text of the package', 'What it contains.', { group: 'result', max: 400 }),
    line('companyLine', 'Company line', 'Names company and country.', { group: 'result' }),
    line('moneyBackLine', 'Guarantee line', 'May say {moneyBackDays}.', { group: 'result' }),
    line('button', 'Button', 'Leads to payment.', { group: 'result', max: 40 }),
    line('payTitle', 'Heading of the payment page', 'Above the packages.', { group: 'payment', max: 80 }),
    lines('secureNotes', 'Notes about secure payment', 'Short lines with a lock.', { group: 'payment', max: 5 }),
    sampleMark('result'),
  ],
  preview: {
    select: { subtitle: 'defaultTitle' },
    prepare: ({ subtitle }) => ({ title: 'Reading product', subtitle }),
  },
})

export const readingTypes = [insightTitle, reading]

import { HomeIcon } from '@sanity/icons/Home'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { line, paragraph, sampleMark, seoField } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

const half = (name: string, title: string) =>
  defineField({
    name,
    title,
    type: 'picture',
    fieldset: 'comparison',
    description: 'Same size and same scene as the other half.',
  })

export const landing = defineType({
  name: 'landing',
  title: 'Landing page',
  type: 'document',
  icon: HomeIcon,
  validation: publishCheck(),
  fieldsets: [
    {
      name: 'comparison',
      title: 'Before and after',
      description: 'A slider between two pictures.',
      options: { collapsible: true },
    },
  ],
  fields: [
    line('heading', 'Heading', 'The largest words of the page.', { max: 80 }),
    paragraph('intro', 'Introduction', 'One or two sentences under the heading.', { max: 240 }),
    defineField({
      name: 'benefits',
      title: 'Benefits',
      description: 'Short statements with a tick, each with the source that proves it. Drag to change the order.',
      type: 'array',
      of: [defineArrayMember({ type: 'claim' })],
      validation: (rule) => rule.required().min(1).max(6),
    }),
    line(
      'ageQuestion',
      'Line above the age buttons',
      'Invites to choose an age group. The buttons themselves are fixed.',
      { max: 80 },
    ),
    line('beforeLabel', 'Label “before”', 'On the strained half.', { fieldset: 'comparison', max: 30 }),
    line('afterLabel', 'Label “after”', 'On the rested half.', { fieldset: 'comparison', max: 30 }),
    half('comparisonBefore', 'Before'),
    half('comparisonAfter', 'After'),
    defineField({
      name: 'comparison',
      title: 'Both in one picture',
      description: 'Shown where the slider cannot work.',
      type: 'picture',
      fieldset: 'comparison',
    }),
    paragraph('footnote', 'Footnote', 'What the picture is, and what the programme is not. Optional.', {
      optional: true,
      max: 400,
    }),
    seoField(),
    sampleMark(),
  ],
  preview: {
    select: { subtitle: 'heading', media: 'comparisonAfter' },
    prepare: (selection) => ({ title: 'Landing page', ...selection }),
  },
})

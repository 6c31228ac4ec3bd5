import { DocumentsIcon } from '@sanity/icons/Documents'
import { defineField, defineType } from 'sanity'
import { dutyNote } from '../../../contract/duties/table.ts'
import { REQUIRED_LEGAL_PAGES } from '../../check/page.rules.ts'
import { AddressInput, type AddressOptions } from '../AddressInput.tsx'
import { line, paragraph, sampleMark } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

export const legalPage = defineType({
  name: 'legalPage',
  title: 'Legal page',
  type: 'document',
  icon: DocumentsIcon,
  validation: publishCheck('slug'),
  fields: [
    line('title', 'Title', 'The heading of the page.', { max: 80 }),
    defineField({
      name: 'slug',
      title: 'Address',
      description:
        `The part after /legal/. The pages ${REQUIRED_LEGAL_PAGES.join(', ')} have to exist. ` +
        `The last one: ${dutyNote('accessibility_information')}`,
      type: 'string',
      components: { input: AddressInput },
      options: { from: 'title', before: '' } satisfies AddressOptions as object,
      validation: (rule) =>
        rule
          .required()
          .regex(/^[a-z0-9-]+$/)
          .error('Small letters, digits and hyphens.'),
    }),
    paragraph('description', 'Description', 'One sentence under the title; search results show it too.', { max: 220 }),
    defineField({
      name: 'updatedAt',
      title: 'Last changed on',
      description: 'The page says this day under its title. Change it whenever the meaning changes.',
      type: 'date',
      validation: (rule) => rule.required(),
    }),
    defineField({
      name: 'body',
      title: 'Text',
      description:
        'Prices, periods and names come from placeholders such as {monthlyPrice}, so that this page never ' +
        'contradicts the checkout.',
      type: 'legalText',
      validation: (rule) => rule.required().min(1),
    }),
    sampleMark(),
  ],
  orderings: [{ title: 'Title', name: 'title', by: [{ field: 'title', direction: 'asc' }] }],
  preview: {
    select: { title: 'title', slug: 'slug', sample: 'sample' },
    prepare: ({ title, slug, sample }) => ({
      title,
      subtitle: [`/legal/${slug}`, sample ? 'Sample' : undefined].filter(Boolean).join(' · '),
    }),
  },
})

import { DocumentTextIcon } from '@sanity/icons/DocumentText'
import { defineField, defineType } from 'sanity'
import { line, paragraph, sampleMark } from '../fields.ts'
import { Listings } from '../Listings.tsx'
import { publishCheck } from '../publish-check.ts'

export const pressMention = defineType({
  name: 'pressMention',
  title: 'Press mention',
  type: 'document',
  icon: DocumentTextIcon,
  components: { input: Listings },
  validation: publishCheck(),
  fields: [
    line('outlet', 'Newspaper, magazine or site', 'Its name as it writes it.', { max: 60 }),
    paragraph('quote', 'Quote', 'Word for word, without quotation marks.', { max: 300 }),
    defineField({
      name: 'logo',
      title: 'Logo',
      description: 'Only with permission. Without one, the name is shown.',
      type: 'picture',
    }),
    defineField({
      name: 'provenance',
      title: 'Where it was published',
      description: 'Link and date. Not shown on the page.',
      type: 'text',
      rows: 2,
      validation: (rule) =>
        rule.custom(
          (value: string | undefined, { document }) =>
            document?.['sample'] === true || Boolean(value?.trim()) || 'Say where the quote was published.',
        ),
    }),
    sampleMark(),
  ],
  preview: {
    select: { title: 'outlet', quote: 'quote', media: 'logo', sample: 'sample' },
    prepare: ({ title, quote, media, sample }) => ({
      title,
      subtitle: [sample ? 'Sample' : undefined, quote].filter(Boolean).join(' · '),
      media,
    }),
  },
})

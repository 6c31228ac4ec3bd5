import { CommentIcon } from '@sanity/icons/Comment'
import { defineField, defineType } from 'sanity'
import { line, paragraph, sampleMark } from '../fields.ts'
import { Listings } from '../Listings.tsx'
import { publishCheck } from '../publish-check.ts'

export const testimonial = defineType({
  name: 'testimonial',
  title: 'Testimonial',
  type: 'document',
  icon: CommentIcon,
  components: { input: Listings },
  validation: publishCheck(),
  fieldsets: [{ name: 'proof', title: 'Proof', description: 'Not shown on the page, except the tag “Verified”.' }],
  fields: [
    line(
      'name',
      'Name',
      'As the person agreed to: initials are enough. They stand in the circle when there is no picture.',
      { max: 60 },
    ),
    defineField({
      name: 'age',
      title: 'Age',
      description: 'Optional.',
      type: 'number',
      validation: (rule) => rule.integer().min(18).max(110),
    }),
    line('place', 'Place', 'Town, state or country. Optional.', { optional: true, max: 60 }),
    paragraph(
      'quote',
      'Words',
      'What the person said, without quotation marks. Shorten, but do not change the meaning.',
      { max: 500 },
    ),
    defineField({
      name: 'stars',
      title: 'Stars',
      description: 'As given by the person.',
      type: 'number',
      initialValue: 5,
      options: { list: [1, 2, 3, 4, 5], layout: 'radio', direction: 'horizontal' },
      validation: (rule) => rule.required().integer().min(1).max(5),
    }),
    defineField({
      name: 'picture',
      title: 'Picture',
      description: 'Only a picture of this person, with written consent. Without one, initials are shown.',
      type: 'picture',
    }),
    defineField({
      name: 'provenance',
      title: 'Where the words come from',
      description: 'Review, e-mail or interview, with its date, the order, and the consent to publish.',
      type: 'text',
      rows: 2,
      fieldset: 'proof',
    }),
    defineField({
      name: 'verified',
      title: 'Verified',
      description: 'The person is known to be a customer. The tag is shown only with a source above.',
      type: 'boolean',
      initialValue: false,
      fieldset: 'proof',
    }),
    sampleMark(),
  ],
  orderings: [{ title: 'Name', name: 'name', by: [{ field: 'name', direction: 'asc' }] }],
  preview: {
    select: {
      name: 'name',
      age: 'age',
      place: 'place',
      quote: 'quote',
      media: 'picture',
      verified: 'verified',
      sample: 'sample',
    },
    prepare: ({ name, age, place, quote, media, verified, sample }) => ({
      title: [name, age, place].filter(Boolean).join(', '),
      subtitle: [sample ? 'Sample' : undefined, verified ? 'Verified' : undefined, quote].filter(Boolean).join(' · '),
      media,
    }),
  },
})

import { BookIcon } from '@sanity/icons/Book'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { AddressInput, type AddressOptions } from '../AddressInput.tsx'
import { line, paragraph, sampleMark, seoField } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

const comment = defineType({
  name: 'comment',
  title: 'Comment',
  type: 'object',
  fields: [
    line('name', 'Name', 'As shown.', { max: 60 }),
    paragraph('text', 'Words', 'What the reader wrote.', { max: 400 }),
    defineField({
      name: 'daysAgo',
      title: 'Days ago',
      description: 'Shown as “3 days ago”.',
      type: 'number',
      initialValue: 1,
      validation: (rule) => rule.required().integer().min(0).max(3650),
    }),
    defineField({
      name: 'likes',
      title: 'Likes',
      description: 'Number of likes.',
      type: 'number',
      initialValue: 0,
      validation: (rule) => rule.required().integer().min(0),
    }),
  ],
  preview: { select: { title: 'name', subtitle: 'text' } },
})

const advertorial = defineType({
  name: 'advertorial',
  title: 'Advertorial',
  type: 'document',
  icon: BookIcon,
  validation: publishCheck('path'),
  groups: [
    { name: 'article', title: 'Article', default: true },
    { name: 'invitation', title: 'Invitation' },
    { name: 'comments', title: 'Comments' },
    { name: 'page', title: 'Page' },
  ],
  fields: [
    line('headline', 'Headline', 'The largest words of the article.', { group: 'article', max: 120 }),
    paragraph('standfirst', 'Standfirst', 'Two sentences between headline and text.', { group: 'article', max: 300 }),
    defineField({
      name: 'cover',
      title: 'Picture',
      description: 'Above the text, wide.',
      type: 'picture',
      group: 'article',
    }),
    defineField({
      name: 'author',
      title: 'Author',
      description: 'Who speaks. Never invent a person or a doctor.',
      type: 'object',
      group: 'article',
      options: { collapsible: true },
      validation: (rule) => rule.required(),
      fields: [
        line('name', 'Name', 'Of a real person or of your team.', { max: 80 }),
        line('role', 'Role', 'For example “Editorial team of {product}”.', { max: 80 }),
        paragraph('bio', 'About', 'Two sentences at the end of the article. Says who pays.', { max: 300 }),
        defineField({ name: 'picture', title: 'Picture', description: 'Optional.', type: 'picture' }),
      ],
    }),
    defineField({
      name: 'body',
      title: 'Text',
      description: 'With pictures, pull quotes and invitations to the quiz.',
      type: 'articleText',
      group: 'article',
      validation: (rule) => rule.required().min(1),
    }),
    line('bannerText', 'Text of the banner', 'Floats at the bottom while reading.', { group: 'invitation', max: 80 }),
    line('bannerButton', 'Button of the banner', 'Leads to the landing page.', { group: 'invitation', max: 40 }),
    line('ctaText', 'Text at the end', 'Above the last button.', { group: 'invitation' }),
    line('ctaButton', 'Button at the end', 'Leads to the landing page.', { group: 'invitation', max: 40 }),
    defineField({
      name: 'comments',
      title: 'Comments',
      description: 'Real comments, with consent. Drag to change the order.',
      type: 'array',
      group: 'comments',
      of: [defineArrayMember({ type: 'comment' })],
      validation: (rule) => rule.max(30),
    }),
    defineField({
      name: 'path',
      title: 'Address',
      description: 'Under which the article stands, such as /women-over60. Do not change it once it is advertised.',
      type: 'string',
      group: 'page',
      components: { input: AddressInput },
      options: { from: 'headline', before: '/' } satisfies AddressOptions as object,
      // the publish check says what is wrong with it
    }),
    defineField({
      name: 'utm',
      title: 'Name in reports',
      description: 'Under which reports count visitors from this article, such as blog-women-over60.',
      type: 'string',
      group: 'page',
      components: { input: AddressInput },
      options: { from: 'path', before: 'blog-' } satisfies AddressOptions as object,
      validation: (rule) => [
        rule.required().error('A name is needed.'),
        rule.regex(/^[a-z0-9-]+$/).error('Small letters, digits and hyphens.'),
      ],
    }),
    defineField({
      name: 'publishedAt',
      title: 'Date',
      description: 'Shown above the text.',
      type: 'date',
      group: 'page',
      initialValue: () => new Date().toISOString().slice(0, 10),
      validation: (rule) => rule.required(),
    }),
    seoField('page'),
    sampleMark('page'),
  ],
  orderings: [{ title: 'Newest first', name: 'newest', by: [{ field: 'publishedAt', direction: 'desc' }] }],
  preview: {
    select: { title: 'headline', path: 'path', media: 'cover', sample: 'sample' },
    prepare: ({ title, path, media, sample }) => ({
      title,
      subtitle: [path, sample ? 'Sample' : undefined].filter(Boolean).join(' · '),
      media,
    }),
  },
})

export const advertorialTypes = [comment, advertorial]

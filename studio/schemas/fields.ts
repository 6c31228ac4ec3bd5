import { defineArrayMember, defineField, defineType, type FieldDefinition } from 'sanity'
import { PlaceholderInput } from '../copy/PlaceholderInput.tsx'

/** The pieces that documents are made of. Every one has a title and a description that an editor reads. */

interface Options {
  group?: string
  fieldset?: string
  /** May be left empty. */
  optional?: boolean
  initialValue?: string
  /** A text gets an error above this length, because it would no longer fit its place. */
  max?: number
  /** Names in braces that only this field knows, with their meaning. */
  placeholders?: Record<string, string>
}

/** One line that a visitor reads; may carry {placeholders}, never an amount (K-02). */
export function line(
  name: string,
  title: string,
  description: string,
  options: Options = {},
): FieldDefinition<'string'> {
  const { optional = false, max = 160, placeholders, ...rest } = options
  return defineField({
    name,
    title,
    description,
    type: 'string',
    components: { input: PlaceholderInput },
    ...(placeholders === undefined ? {} : { options: { placeholders } as object }),
    ...rest,
    validation: (rule) => {
      const limited = rule.max(max).error(`At most ${max} characters fit here.`)
      return optional ? limited : limited.required().error(`${title} is needed (at most ${max} characters).`)
    },
  })
}

/** A paragraph that a visitor reads. */
export function paragraph(
  name: string,
  title: string,
  description: string,
  options: Options = {},
): FieldDefinition<'text'> {
  const { optional = false, max = 700, placeholders, ...rest } = options
  return defineField({
    name,
    title,
    description,
    type: 'text',
    rows: max > 700 ? 8 : 3,
    components: { input: PlaceholderInput },
    ...(placeholders === undefined ? {} : { options: { placeholders } as object }),
    ...rest,
    validation: (rule) => {
      const limited = rule.max(max).error(`At most ${max} characters fit here.`)
      return optional ? limited : limited.required().error(`${title} is needed (at most ${max} characters).`)
    },
  })
}

/** A list of short lines, ordered by drag. */
export function lines(
  name: string,
  title: string,
  description: string,
  options: { group?: string; min?: number; max?: number } = {},
) {
  const { min = 1, max = 12, ...rest } = options
  return defineField({
    name,
    title,
    description: `${description} Drag to change the order.`,
    type: 'array',
    of: [defineArrayMember({ type: 'string', components: { input: PlaceholderInput } })],
    ...rest,
    validation: (rule) => [
      rule.required().min(min).max(max).error(`${title}: between ${min} and ${max} entries.`),
      rule.custom(
        (items: unknown[] | undefined) =>
          (items ?? []).every((item) => typeof item === 'string' && item.trim() !== '') ||
          'An entry is empty. Fill it in or remove it.',
      ),
    ],
  })
}

/** The mark of content that was invented to show the product (K-07); the launch check lists what still carries it. */
export function sampleMark(group?: string) {
  return defineField({
    name: 'sample',
    title: 'Sample content',
    description:
      'On while this document holds the words that came with the product. Switch it off when they are your own. A production build stops while it is on.',
    type: 'boolean',
    initialValue: false,
    ...(group === undefined ? {} : { group }),
  })
}

export function references(
  name: string,
  title: string,
  description: string,
  type: string,
  min: number,
  max: number,
  group?: string,
) {
  return defineField({
    name,
    title,
    description: `${description} Drag to change the order.`,
    type: 'array',
    of: [defineArrayMember({ type: 'reference', to: [{ type }] })],
    ...(group === undefined ? {} : { group }),
    validation: (rule) =>
      rule.required().min(min).max(max).unique().error(`${title}: between ${min} and ${max}, each once.`),
  })
}

export const seoField = (group?: string) =>
  defineField({
    name: 'seo',
    title: 'Search engines and shared links',
    description: 'What search results and shared links show of this page.',
    type: 'seo',
    ...(group === undefined ? {} : { group }),
    validation: (rule) => rule.required(),
  })

const seo = defineType({
  name: 'seo',
  title: 'Search engines and shared links',
  type: 'object',
  options: { collapsible: true, collapsed: true },
  fields: [
    line(
      'title',
      'Page title',
      'Shown in the browser tab and as the headline of a search result. About 60 characters.',
      { max: 80 },
    ),
    paragraph('description', 'Description', 'Two lines under the headline of a search result. About 150 characters.', {
      max: 220,
    }),
  ],
})

const claim = defineType({
  name: 'claim',
  title: 'Statement',
  type: 'object',
  fields: [
    line('text', 'Statement', 'What visitors read. It has to be true.'),
    defineField({
      name: 'source',
      title: 'Source',
      description:
        'Where it is proved: a study (author, year, journal or link), a law, or your own figures. Not shown on the page. A production build stops while it is empty.',
      type: 'text',
      rows: 2,
    }),
  ],
  preview: {
    select: { title: 'text', source: 'source' },
    prepare: ({ title, source }) => ({ title, subtitle: source ? `Source: ${source}` : 'No source yet' }),
  },
})

const picture = defineType({
  name: 'picture',
  title: 'Picture',
  type: 'image',
  options: { hotspot: true, accept: 'image/*' },
  fields: [
    defineField({
      name: 'alt',
      title: 'What the picture shows',
      description: 'Read aloud to people who cannot see it. Leave it empty only if the picture is mere decoration.',
      type: 'string',
      validation: (rule) => rule.max(200).warning('Long descriptions are tiring to listen to.'),
    }),
    defineField({
      name: 'caption',
      title: 'Caption',
      description: 'A line under the picture. Optional.',
      type: 'string',
    }),
  ],
})

const pullQuote = defineType({
  name: 'pullQuote',
  title: 'Pull quote',
  type: 'object',
  fields: [
    paragraph('text', 'Quote', 'One or two sentences in large type, without quotation marks.', { max: 240 }),
    line('attribution', 'Who said it', 'Name or initials. Optional.', { optional: true }),
  ],
  preview: { select: { title: 'text', subtitle: 'attribution' } },
})

const callToAction = defineType({
  name: 'callToAction',
  title: 'Invitation to the quiz',
  type: 'object',
  fields: [
    line('text', 'Text', 'The line above the button.'),
    line('button', 'Button', 'What the button says. It leads to the landing page.', { max: 40 }),
  ],
  preview: { select: { title: 'button', subtitle: 'text' } },
})

const textBlock = defineArrayMember({
  type: 'block',
  styles: [
    { title: 'Text', value: 'normal' },
    { title: 'Heading', value: 'h2' },
    { title: 'Small heading', value: 'h3' },
  ],
  lists: [
    { title: 'Bullets', value: 'bullet' },
    { title: 'Numbers', value: 'number' },
  ],
  marks: {
    decorators: [
      { title: 'Bold', value: 'strong' },
      { title: 'Italic', value: 'em' },
    ],
    annotations: [
      {
        name: 'link',
        title: 'Link',
        type: 'object',
        fields: [
          defineField({
            name: 'href',
            title: 'Address',
            description: 'A page of this site such as /legal/privacy, a web address, or mailto:{contactEmail}.',
            type: 'string',
            validation: (rule) =>
              rule
                .required()
                .custom(
                  (value: string | undefined) =>
                    /^(\/(?!\/)|https:\/\/|mailto:)/.test(value ?? '') ||
                    'An address begins with /, https:// or mailto:',
                ),
          }),
        ],
      },
    ],
  },
})

const legalText = defineType({
  name: 'legalText',
  title: 'Text',
  type: 'array',
  of: [textBlock],
})

const articleText = defineType({
  name: 'articleText',
  title: 'Article text',
  type: 'array',
  of: [
    textBlock,
    defineArrayMember({ type: 'picture' }),
    defineArrayMember({ type: 'pullQuote' }),
    defineArrayMember({ type: 'callToAction' }),
  ],
})

export const fieldTypes = [seo, claim, picture, pullQuote, callToAction, legalText, articleText]

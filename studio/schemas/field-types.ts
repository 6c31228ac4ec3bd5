/** Objects that several documents hold: seo, a claim with its source, a picture, rich text. */
import { defineArrayMember, defineField, defineType, type ValidationContext } from 'sanity'
import { words } from '../check/finding.ts'
import { linkedPage, NO_PAGE } from '../check/links.ts'
import { PlaceholderPlugins, PlaceholderText } from '../copy/PlaceholderText.tsx'
import { line, paragraph } from './fields.ts'

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
        'Where it is proved: a study (author, year, journal or link), a law, or your own figures. Not shown ' +
        'on the page. A production build stops while it is empty.',
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

/** The publish check says what is wrong with an address itself; only here there is a dataset to look for its page. */
async function leadsSomewhere(href: string | undefined, context: ValidationContext): Promise<true | string> {
  const page = linkedPage(words(href))
  if (page === undefined) return true
  const found = await context
    .getClient({ apiVersion: '2026-03-01' })
    // drafts, too: pages that link to each other are written before either is published
    .withConfig({ perspective: 'raw' })
    .fetch<boolean>(`count(*[_type == $type && ${page.field} == $address]) > 0`, { ...page })
  return found || NO_PAGE
}

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
            validation: (rule) => [
              rule.required().error('An address is needed.'),
              rule.custom(leadsSomewhere).warning(),
            ],
          }),
        ],
      },
    ],
  },
})

const placeholders = { input: PlaceholderText, portableText: { plugins: PlaceholderPlugins } }

const legalText = defineType({
  name: 'legalText',
  title: 'Text',
  type: 'array',
  components: placeholders,
  of: [textBlock],
})

const articleText = defineType({
  name: 'articleText',
  title: 'Article text',
  type: 'array',
  components: placeholders,
  of: [
    textBlock,
    defineArrayMember({ type: 'picture' }),
    defineArrayMember({ type: 'pullQuote' }),
    defineArrayMember({ type: 'callToAction' }),
  ],
})

const guideText = defineType({
  name: 'guideText',
  title: 'Text of a guide',
  type: 'array',
  components: placeholders,
  of: [textBlock, defineArrayMember({ type: 'pullQuote' })],
})

export const fieldTypes = [seo, claim, picture, pullQuote, callToAction, legalText, articleText, guideText]

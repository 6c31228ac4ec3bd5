import { defineArrayMember, defineField, type FieldDefinition, type StringRule } from 'sanity'
import { isObject, words } from '../check/finding.ts'
import { type OwnPlaceholders, PlaceholderInput } from '../copy/PlaceholderInput.tsx'

/** The pieces that documents are made of. Every one has a title and a description that an editor reads. */

interface Options {
  group?: string
  fieldset?: string
  /** May be left empty. */
  optional?: boolean | undefined
  /** May be left empty only together with this field beside it. */
  neededWith?: string | undefined
  initialValue?: string
  /** A text gets an error above this length, because it would no longer fit its place. */
  max?: number
  /** Line breaks are shown on the page as they stand here. */
  breaks?: boolean
  /** Names in braces that only this field knows, with their meaning, where they can be filled. */
  placeholders?: OwnPlaceholders
}

/** The rule of a text that has to be there. Blanks are not words: the site trims them (contract/content/fields.ts). */
export const needed = (rule: StringRule, message: string): StringRule =>
  rule
    .required()
    .custom((text) => typeof text !== 'string' || words(text) !== '' || message)
    .error(message)

/** The rules of a text: it is there unless it may be empty, and it fits its place. */
function textRules(rule: StringRule, title: string, max: number, { optional, neededWith }: Options): StringRule[] {
  const fits = rule.custom(
    (text) => (text ?? '').length <= max || `At most ${max} characters fit here; these are ${(text ?? '').length}.`,
  )
  if (neededWith !== undefined) {
    const together = rule.custom(
      (text, { parent }) =>
        words(text) !== '' || !isObject(parent) || words(parent[neededWith]) === '' || `${title} is needed.`,
    )
    return [together, fits]
  }
  return optional ? [fits] : [needed(rule, `${title} is needed.`), fits]
}

/** One line that a visitor reads; may carry {placeholders}, never an amount (K-02). */
export function line(
  name: string,
  title: string,
  description: string,
  options: Options = {},
): FieldDefinition<'string'> {
  const { optional, neededWith, max = 160, placeholders, ...rest } = options
  return defineField({
    name,
    title,
    description,
    type: 'string',
    components: { input: PlaceholderInput },
    ...(placeholders === undefined ? {} : { options: { placeholders } as object }),
    ...rest,
    validation: (rule) => textRules(rule, title, max, { optional, neededWith }),
  })
}

const NO_BREAKS = 'Line breaks are not shown: on the page this is one paragraph.'

/** A paragraph that a visitor reads. */
export function paragraph(
  name: string,
  title: string,
  description: string,
  options: Options = {},
): FieldDefinition<'text'> {
  const { optional, neededWith, max = 700, breaks, placeholders, ...rest } = options
  return defineField({
    name,
    title,
    description,
    type: 'text',
    rows: max > 700 ? 8 : 3,
    components: { input: PlaceholderInput },
    ...(placeholders === undefined ? {} : { options: { placeholders } as object }),
    ...rest,
    validation: (rule) => [
      ...textRules(rule, title, max, { optional, neededWith }),
      rule.custom((text) => breaks || !words(text).includes('\n') || NO_BREAKS).warning(),
    ],
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
          (items ?? []).every((item) => words(item) !== '') || 'An entry is empty. Fill it in or remove it.',
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
      'On while this document holds the words that came with the product. Switch it off when they are your ' +
      'own. A production build stops while it is on.',
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

import { HelpCircleIcon } from '@sanity/icons/HelpCircle'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { DRAWINGS } from '../../../contract/drawings.ts'
import { objects, type Path, valueAt, words } from '../../check/finding.ts'
import { knowsSymptoms } from '../../check/quiz.rules.ts'
import { STORAGE_KEY, STORAGE_KEY_WORDS } from '../../check/storage-keys.ts'
import { line, needed, paragraph } from '../fields.ts'
import { DrawingInput, drawingOf } from './DrawingInput.tsx'
import { StoredInput } from './StoredInput.tsx'
import { next, showIf, title } from './step-parts.ts'

const feedback = defineField({
  name: 'feedback',
  title: 'Feedback',
  description: 'A short explanation that appears when this option is chosen. Optional: empty, it is not shown.',
  type: 'object',
  options: { collapsible: true, collapsed: true },
  fields: [
    defineField({
      name: 'status',
      title: 'Tone',
      description: 'Decides colour and icon.',
      type: 'string',
      options: {
        layout: 'radio',
        list: [
          { title: 'Good', value: 'good' },
          { title: 'Moderate', value: 'moderate' },
          { title: 'Caution', value: 'caution' },
          { title: 'Warning', value: 'warning' },
        ],
      },
      validation: (rule) =>
        rule.custom((status: string | undefined, { parent }) => {
          const { title, text } = (parent ?? {}) as { title?: string; text?: string }
          return Boolean(status) || (words(title) === '' && words(text) === '') || 'Choose a tone.'
        }),
    }),
    line('title', 'Heading', 'One or two words.', { neededWith: 'text', max: 40 }),
    paragraph('text', 'Explanation', 'One or two sentences.', { neededWith: 'title', max: 240 }),
  ],
})

const option = defineType({
  name: 'option',
  title: 'Option',
  type: 'object',
  fields: [
    line('label', 'Label', 'What visitors read. You may change it at any time.', { max: 80 }),
    defineField({
      name: 'value',
      title: 'Counted as',
      description: 'Whatever its label says. Locked once visitors have answered: their answers would no longer match.',
      type: 'string',
      components: { input: StoredInput },
      validation: (rule) => needed(rule, 'Every option needs a value of its own.'),
    }),
    line('description', 'Second line', 'Smaller, under the label. Optional.', { optional: true, max: 100 }),
    defineField({
      name: 'icon',
      title: 'Drawing',
      description: 'Beside the label. Optional.',
      type: 'string',
      components: { input: DrawingInput },
      // a swatch is drawn in its colour
      hidden: ({ document, path, value }) =>
        value === undefined && valueAt(document, [...path.slice(0, 2), 'layout']) === 'swatches',
      options: { list: Object.entries(DRAWINGS).map(([value, name]) => ({ value, title: name })) },
    }),
    feedback,
  ],
  preview: {
    select: { title: 'label', value: 'value', feedback: 'feedback.title', icon: 'icon' },
    prepare: ({ title, value, feedback: shown, icon }) => ({
      title,
      media: drawingOf(icon),
      subtitle: [title === value ? undefined : `counted as “${value}”`, shown].filter(Boolean).join(' · '),
    }),
  },
})

/** The steps of the quiz, and the place of the one that a path leads into. */
function stepAt(document: unknown, path: Path): [steps: Record<string, unknown>[], index: number] {
  const steps = objects(valueAt(document, ['steps']))
  return [steps, steps.findIndex((step) => step === valueAt(document, path.slice(0, 2)))]
}

const questionStep = defineType({
  name: 'questionStep',
  title: 'Question',
  icon: HelpCircleIcon,
  type: 'object',
  groups: [
    { name: 'words', title: 'Words', default: true },
    { name: 'behaviour', title: 'Behaviour' },
  ],
  fields: [
    { ...title, group: 'words' },
    line(
      'subtitle',
      'Subtitle',
      'Optional. Below the question for symptoms, {symptoms} is replaced by those that were chosen.',
      {
        group: 'words',
        optional: true,
        placeholders: (document, path) =>
          knowsSymptoms(...stepAt(document, path))
            ? { symptoms: 'The chosen symptoms, or “No symptoms selected”' }
            : {},
      },
    ),
    line('hint', 'Hint', 'A small line near the Next button. Optional.', { group: 'words', optional: true }),
    defineField({
      name: 'options',
      title: 'Options',
      description: 'Drag to change the order.',
      type: 'array',
      group: 'words',
      of: [defineArrayMember({ type: 'option' })],
      validation: (rule) => rule.required().min(2).max(12).error('A question has between 2 and 12 options.'),
    }),
    defineField({
      name: 'storageKey',
      title: 'Name of the answer',
      description:
        'Under this name the answers are kept and counted; visitors never see it. Locked once they have answered.',
      type: 'string',
      components: { input: StoredInput },
      group: 'behaviour',
      validation: (rule) => rule.required().regex(STORAGE_KEY).error(`The name of an answer is ${STORAGE_KEY_WORDS}.`),
    }),
    defineField({
      name: 'multiSelect',
      title: 'Several answers',
      description: 'Visitors may choose more than one. The Next button is shown.',
      type: 'boolean',
      group: 'behaviour',
      initialValue: false,
    }),
    defineField({
      name: 'showNext',
      title: 'Show the Next button',
      description: 'Off: the quiz goes on by itself half a second after a choice.',
      type: 'boolean',
      group: 'behaviour',
      initialValue: false,
    }),
    defineField({
      name: 'optional',
      title: 'No answer is fine too',
      description: 'Next works with nothing chosen. For questions with several answers.',
      type: 'boolean',
      group: 'behaviour',
      initialValue: false,
      hidden: ({ parent }) => (parent as { multiSelect?: boolean } | undefined)?.multiSelect !== true,
    }),
    defineField({
      name: 'layout',
      title: 'Layout',
      description: 'How the options are laid out.',
      type: 'string',
      group: 'behaviour',
      initialValue: 'list',
      options: {
        layout: 'radio',
        list: [
          { title: 'List', value: 'list' },
          { title: 'Swatches (eye colours)', value: 'swatches' },
          { title: 'Cards with drawings', value: 'cards' },
        ],
      },
      validation: (rule) => rule.required(),
    }),
    { ...next, group: 'behaviour' },
    { ...showIf, group: 'behaviour' },
  ],
  preview: {
    select: {
      title: 'title',
      multi: 'multiSelect',
      a: 'options.0.label',
      b: 'options.1.label',
      c: 'options.2.label',
    },
    prepare: ({ title, multi, a, b, c }) => ({
      title: title ?? 'No title yet',
      subtitle: [multi ? 'Question, several answers' : 'Question', [a, b, c].filter(Boolean).join(', ')]
        .filter(Boolean)
        .join(' · '),
    }),
  },
})

export const questionTypes = [option, questionStep]

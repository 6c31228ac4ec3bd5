/** Steps that are read, waited for or answered with an address. */
import { ClockIcon } from '@sanity/icons/Clock'
import { EnvelopeIcon } from '@sanity/icons/Envelope'
import { InfoOutlineIcon } from '@sanity/icons/InfoOutline'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { line, lines, paragraph } from '../fields.ts'
import { SecondsInput } from './SecondsInput.tsx'
import { button, next, preview, showIf, title } from './step-parts.ts'

export const infoStep = defineType({
  name: 'infoStep',
  title: 'Information',
  icon: InfoOutlineIcon,
  type: 'object',
  fields: [
    title,
    line('eyebrow', 'Small line above the title', 'For example “Did you know?”. Optional.', {
      optional: true,
      max: 50,
    }),
    paragraph('body', 'Text', 'A few sentences. Optional.', { optional: true, max: 400 }),
    defineField({
      name: 'facts',
      title: 'Facts',
      description: 'Statements with their sources. Drag to change the order.',
      type: 'array',
      of: [defineArrayMember({ type: 'claim' })],
      validation: (rule) => rule.max(6),
    }),
    defineField({
      name: 'chart',
      title: 'Chart',
      description: 'A small drawing beside the facts. Most are drawn from the numbers in the facts.',
      type: 'string',
      initialValue: 'none',
      options: {
        list: [
          { title: 'None', value: 'none' },
          { title: 'Tired eyes', value: 'dry_eyes' },
          { title: 'Blink rate', value: 'blink_rate' },
          { title: 'Eye Drain Index through a day', value: 'drain_index' },
          { title: 'Astigmatism', value: 'astigmatism' },
          { title: 'Eye workout', value: 'workout' },
          { title: 'Five minutes a day', value: 'motivation' },
        ],
      },
      validation: (rule) => rule.required(),
    }),
    button,
    defineField({
      name: 'floatingButton',
      title: 'Button stays in view',
      description: 'The button floats at the bottom while the visitor reads.',
      type: 'boolean',
      initialValue: false,
    }),
    next,
    showIf,
  ],
  preview: preview('Information', 'facts.0.text'),
})

export const loaderStep = defineType({
  name: 'loaderStep',
  title: 'Loader',
  icon: ClockIcon,
  type: 'object',
  description: 'Goes on by itself when its time is over.',
  fields: [
    title,
    defineField({
      name: 'durationMs',
      title: 'Duration in seconds',
      description: 'The messages share the time.',
      type: 'number',
      components: { input: SecondsInput },
      initialValue: 6000,
      validation: (rule) => rule.required().integer().min(500).max(20000).error('Between 0.5 and 20 seconds.'),
    }),
    defineField({
      name: 'fadeMs',
      title: 'Fade between messages in seconds',
      description: 'Usually 0.6.',
      type: 'number',
      components: { input: SecondsInput },
      initialValue: 600,
      validation: (rule) => rule.required().integer().min(0).max(5000).error('Between 0 and 5 seconds.'),
    }),
    lines('messages', 'Messages', 'Shown one after the other.'),
    defineField({
      name: 'showPercent',
      title: 'Show the percent in a circle',
      description: 'Off: messages only.',
      type: 'boolean',
      initialValue: true,
    }),
    next,
    showIf,
  ],
  preview: preview('Loader', 'messages.0'),
})

export const emailStep = defineType({
  name: 'emailStep',
  title: 'E-mail address',
  icon: EnvelopeIcon,
  type: 'object',
  description: 'Exactly one in the quiz.',
  fields: [
    title,
    line('label', 'Label of the field', 'Above the field.', { max: 60 }),
    line('inputPlaceholder', 'Example in the field', 'Grey, disappears while typing.', { max: 60 }),
    { ...button, initialValue: 'SEE MY RESULTS' },
    line('note', 'Note under the button', 'What happens with the address.'),
    defineField({
      name: 'shownTotal',
      title: 'Total shown on this screen',
      description: 'The progress says “step 23 of …”. It may differ from the real number of steps.',
      type: 'number',
      initialValue: 32,
      validation: (rule) => rule.required().integer().min(1),
    }),
    next,
    showIf,
  ],
  preview: preview('E-mail address'),
})

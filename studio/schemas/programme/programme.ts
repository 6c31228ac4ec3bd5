import { CalendarIcon } from '@sanity/icons/Calendar'
import { ClipboardIcon } from '@sanity/icons/Clipboard'
import { PlayIcon } from '@sanity/icons/Play'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { ADD_ON_IDS, product } from '../../../contract/catalogue.ts'
import { ANIMATIONS } from '../../../contract/drawings.ts'
import { DAYS, WEEKS } from '../../../contract/programme.ts'
import { line, paragraph, sampleMark } from '../fields.ts'
import { hasItsWeek, publishCheck } from '../publish-check.ts'

const programmeStep = defineType({
  name: 'programmeStep',
  title: 'Exercise',
  type: 'object',
  fields: [
    line('title', 'Title', 'Name of the exercise.', { max: 60 }),
    paragraph(
      'text',
      'Instructions',
      'What to do, in short sentences. They have to be enough without picture and sound.',
      { max: 500 },
    ),
    defineField({
      name: 'seconds',
      title: 'Seconds',
      description: 'How long it takes.',
      type: 'number',
      initialValue: 45,
      validation: (rule) => rule.required().integer().min(5).max(600),
    }),
    defineField({
      name: 'animation',
      title: 'Animation',
      description: 'Shown beside the words.',
      type: 'string',
      options: { list: Object.entries(ANIMATIONS).map(([value, title]) => ({ value, title })) },
      validation: (rule) => rule.required(),
    }),
  ],
  preview: {
    select: { title: 'title', seconds: 'seconds', text: 'text' },
    prepare: ({ title, seconds, text }) => ({ title, subtitle: `${seconds} s · ${text}` }),
  },
})

const programmeWeek = defineType({
  name: 'programmeWeek',
  title: 'Week of the programme',
  type: 'document',
  icon: CalendarIcon,
  description: 'Only for buyers.',
  validation: publishCheck('number'),
  fields: [
    defineField({
      name: 'number',
      title: 'Week',
      description: `From 1 to ${WEEKS}.`,
      type: 'number',
      validation: (rule) => rule.required().integer().min(1).max(WEEKS),
    }),
    line('title', 'Title', 'What the week is about.', { max: 60 }),
    paragraph('text', 'Text', 'Two sentences.', { max: 300 }),
    sampleMark(),
  ],
  preview: {
    select: { number: 'number', title: 'title', subtitle: 'text' },
    prepare: ({ number, title, subtitle }) => ({ title: `Week ${number}: ${title}`, subtitle }),
  },
})

const programmeSession = defineType({
  name: 'programmeSession',
  title: 'Session of the programme',
  type: 'document',
  icon: PlayIcon,
  description: 'Only for buyers.',
  validation: publishCheck('day'),
  fields: [
    defineField({
      name: 'day',
      title: 'Day',
      description: `From 1 to ${DAYS}.`,
      type: 'number',
      validation: (rule) => [rule.required().integer().min(1).max(DAYS), rule.custom(hasItsWeek)],
    }),
    line('title', 'Title', 'Short and inviting.', { max: 60 }),
    defineField({
      name: 'minutes',
      title: 'Minutes',
      description: 'About as long as all exercises together.',
      type: 'number',
      initialValue: 5,
      validation: (rule) => rule.required().integer().min(1).max(30),
    }),
    paragraph('intro', 'Introduction', 'One sentence before the session begins.', { max: 240 }),
    defineField({
      name: 'steps',
      title: 'Exercises',
      description: 'In their order. Drag to change it.',
      type: 'array',
      of: [defineArrayMember({ type: 'programmeStep' })],
      validation: (rule) => rule.required().min(1).max(20),
    }),
    defineField({
      name: 'audio',
      title: 'Audio',
      description: 'The spoken session as MP3. Without it the session cannot count as listened.',
      type: 'file',
      options: { accept: '.mp3' },
    }),
    paragraph('audioTranscript', 'Transcript', 'Every word that is spoken.', {
      optional: true,
      max: 6000,
      breaks: true,
    }),
    sampleMark(),
  ],
  preview: {
    select: { day: 'day', title: 'title', minutes: 'minutes', intro: 'intro' },
    prepare: ({ day, title, minutes, intro }) => ({
      title: `Day ${day}: ${title}`,
      subtitle: `${minutes} min · ${intro}`,
    }),
  },
})

const guide = defineType({
  name: 'guide',
  title: 'Guide',
  type: 'document',
  icon: ClipboardIcon,
  description: 'Only for buyers of this add-on.',
  validation: publishCheck('productId'),
  fields: [
    defineField({
      name: 'productId',
      title: 'Product',
      description: 'Whoever bought it may read this guide.',
      type: 'string',
      options: { list: ADD_ON_IDS.map((value) => ({ value, title: product(value).name })) },
      validation: (rule) => rule.required(),
    }),
    line('title', 'Title', 'Heading of the guide.', { max: 80 }),
    line('emoji', 'Emoji', 'One sign.', { max: 8 }),
    paragraph('intro', 'Introduction', 'One or two sentences.', { max: 300 }),
    defineField({
      name: 'body',
      title: 'Text',
      description: 'With headings, lists and pull quotes.',
      type: 'guideText',
      validation: (rule) => rule.required().min(1),
    }),
    sampleMark(),
  ],
  preview: {
    select: { emoji: 'emoji', title: 'title', subtitle: 'intro' },
    prepare: ({ emoji, title, subtitle }) => ({ title: `${emoji ?? ''} ${title ?? ''}`.trim(), subtitle }),
  },
})

export const programmeTypes = [programmeStep, programmeWeek, programmeSession, guide]

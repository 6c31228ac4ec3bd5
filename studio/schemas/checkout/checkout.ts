import { CreditCardIcon } from '@sanity/icons/CreditCard'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { dutyNote } from '../../../contract/duties/table.ts'
import { line, lines, paragraph, references, sampleMark, seoField } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

const planWeek = defineType({
  name: 'planWeek',
  title: 'Week',
  type: 'object',
  fields: [
    line('title', 'Title', 'For example “Week 2: Move”.', { max: 60 }),
    paragraph('text', 'Text', 'What happens in this week.', { max: 240 }),
    defineField({
      name: 'locked',
      title: 'Locked',
      description: 'Shown with a lock: it opens later in the programme.',
      type: 'boolean',
      initialValue: false,
    }),
  ],
  preview: {
    select: { title: 'title', text: 'text', locked: 'locked' },
    prepare: ({ title, text, locked }) => ({
      title,
      subtitle: [locked ? '🔒 locked' : undefined, text].filter(Boolean).join(' · '),
    }),
  },
})

const faq = defineType({
  name: 'faq',
  title: 'Question and answer',
  type: 'object',
  fields: [
    line('question', 'Question', 'As a visitor would ask it.'),
    paragraph('answer', 'Answer', 'Short and complete.', { breaks: true }),
  ],
  preview: { select: { title: 'question', subtitle: 'answer' } },
})

// like a claim, but its statement may be empty (C-07)
const rating = defineType({
  name: 'rating',
  title: 'Rating line',
  type: 'object',
  fields: [
    line('text', 'Statement', 'For example a score and the number of reviews.', { optional: true, max: 80 }),
    defineField({
      name: 'source',
      title: 'Source',
      description: 'Link to the public rating and the day you read it. A production build stops while it is empty.',
      type: 'text',
      rows: 2,
    }),
  ],
})

const checkout = defineType({
  name: 'checkout',
  title: 'Checkout',
  type: 'document',
  icon: CreditCardIcon,
  validation: publishCheck(),
  groups: [
    { name: 'order', title: 'Order', default: true },
    { name: 'plan', title: 'Plan' },
    { name: 'trust', title: 'Trust' },
    { name: 'audio', title: 'Day 1' },
    { name: 'page', title: 'Page' },
  ],
  fields: [
    line('heading', 'Heading', 'The largest words of the page.', { group: 'order', max: 80 }),
    line(
      'countdownText',
      'Text beside the countdown',
      'The time follows. Percentages have to be true: {trialSaving} is computed from the prices.',
      { group: 'order', max: 60 },
    ),
    line(
      'cardTitle',
      'Title of the price card',
      `The price and its terms stand below it by themselves. ${dutyNote('terms_beside_button')}`,
      { group: 'order', max: 60 },
    ),
    line(
      'orderButton',
      'Order button',
      'Opens the payment window. The button in it, which orders, has its words by law where this is a duty.',
      { group: 'order', max: 40 },
    ),
    line('timelineTitle', 'Heading of the plan', 'Above the weeks.', { group: 'plan', max: 80 }),
    defineField({
      name: 'timeline',
      title: 'Weeks',
      description: 'Six weeks. Drag to change the order.',
      type: 'array',
      group: 'plan',
      of: [defineArrayMember({ type: 'planWeek' })],
      validation: (rule) => rule.required().min(1).max(8),
    }),
    line('featuresTitle', 'Heading of the features', 'Above the list.', { group: 'plan', max: 80 }),
    lines('features', 'Features', 'What the buyer gets.', { group: 'plan' }),
    line('testimonialsTitle', 'Heading of the testimonials', 'They change every five seconds.', {
      group: 'trust',
      max: 80,
    }),
    references('testimonials', 'Testimonials', 'Shown one after the other.', 'testimonial', 1, 12, 'trust'),
    defineField({
      name: 'rating',
      title: 'Rating line',
      description: 'A rating by others, with its source. Clear the statement to hide the line.',
      type: 'rating',
      group: 'trust',
    }),
    line('guaranteeTitle', 'Heading of the guarantee', 'May say {moneyBackDays}.', { group: 'trust', max: 80 }),
    paragraph(
      'guaranteeText',
      'Guarantee',
      'The same conditions as the legal page: {moneyBackDays}, {moneyBackSessions}.',
      { group: 'trust' },
    ),
    line('faqTitle', 'Heading of the questions', 'Above the list.', { group: 'trust', max: 80 }),
    defineField({
      name: 'faq',
      title: 'Questions and answers',
      description: 'One is open at a time. Drag to change the order.',
      type: 'array',
      group: 'trust',
      of: [defineArrayMember({ type: 'faq' })],
      validation: (rule) => rule.required().min(1).max(8),
    }),
    line('audioTitle', 'Heading of the audio preview', 'Above the player.', { group: 'audio', max: 80 }),
    paragraph('audioText', 'Text for the audio preview', 'What visitors are going to hear.', {
      group: 'audio',
      max: 240,
    }),
    defineField({
      name: 'audio',
      title: 'Audio file',
      description: 'MP3, one or two minutes. Anyone can listen to it. Empty: the player is hidden.',
      type: 'file',
      group: 'audio',
      options: { accept: '.mp3' },
    }),
    paragraph('audioTranscript', 'Transcript', 'Every word that is spoken, for people who cannot hear it.', {
      group: 'audio',
      optional: true,
      max: 4000,
      breaks: true,
    }),
    seoField('page'),
    sampleMark('page'),
  ],
  preview: { select: { subtitle: 'heading' }, prepare: ({ subtitle }) => ({ title: 'Checkout', subtitle }) },
})

export const checkoutTypes = [planWeek, faq, rating, checkout]

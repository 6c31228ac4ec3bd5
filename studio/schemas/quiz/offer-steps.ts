/** Steps before the checkout: what others say, and the price. */
import { CommentIcon } from '@sanity/icons/Comment'
import { DocumentTextIcon } from '@sanity/icons/DocumentText'
import { TagIcon } from '@sanity/icons/Tag'
import { defineType } from 'sanity'
import { line, paragraph, references } from '../fields.ts'
import { button, next, preview, showIf, title } from './step-parts.ts'

export const pressStep = defineType({
  name: 'pressStep',
  title: 'Press',
  icon: DocumentTextIcon,
  type: 'object',
  fields: [
    title,
    references('mentions', 'Press mentions', 'Shown one below the other.', 'pressMention', 1, 6),
    button,
    next,
    showIf,
  ],
  preview: preview('Press', 'mentions.0.outlet'),
})

export const testimonialsStep = defineType({
  name: 'testimonialsStep',
  title: 'Testimonials',
  icon: CommentIcon,
  type: 'object',
  fields: [
    title,
    references('testimonials', 'Testimonials', 'One is shown large, several as cards.', 'testimonial', 1, 8),
    button,
    next,
    showIf,
  ],
  preview: preview('Testimonials', 'testimonials.0.name'),
})

export const priceStep = defineType({
  name: 'priceStep',
  title: 'Trial price',
  icon: TagIcon,
  type: 'object',
  description: 'Exactly one, and the last step. The prices come from the catalogue.',
  fields: [
    title,
    paragraph(
      'intro',
      'Text above the prices',
      'Says what all prices open and what follows after the trial: {monthlyPrice}, {renewalDays}.',
      { max: 400 },
    ),
    line('note', 'Note', 'Has to say {actualPrice}, the actual cost of the trial.'),
    { ...button, initialValue: 'CONTINUE' },
    { ...next, initialValue: '/checkout' },
    // everybody arrives at the price
    { ...showIf, hidden: true },
  ],
  preview: preview('Trial price'),
})

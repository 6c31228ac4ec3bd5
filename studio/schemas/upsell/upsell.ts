import { BasketIcon } from '@sanity/icons/Basket'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { ADD_ON_IDS, product } from '../../../contract/catalogue.ts'
import { dutyNote } from '../../../contract/duties/table.ts'
import { line, lines, paragraph, references, sampleMark } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

const addOn = defineType({
  name: 'addOn',
  title: 'Add-on',
  type: 'object',
  fields: [
    defineField({
      name: 'id',
      title: 'Product',
      description: 'Of the catalogue, which knows its price.',
      type: 'string',
      options: { list: ADD_ON_IDS.map((value) => ({ value, title: product(value).name })) },
      validation: (rule) => rule.required(),
    }),
    line('name', 'Name', 'As visitors read it.', { max: 60 }),
    line('emoji', 'Emoji', 'One sign.', { max: 8 }),
    paragraph('description', 'Description', 'Opens below the name.', { max: 400 }),
    line('label', 'Label', 'For example the saving. It has to follow from the prices.', { max: 30 }),
  ],
  preview: {
    select: { emoji: 'emoji', name: 'name', label: 'label', description: 'description' },
    prepare: ({ emoji, name, label, description }) => ({
      title: `${emoji ?? ''} ${name ?? ''}`.trim(),
      subtitle: [label, description].filter(Boolean).join(' · '),
    }),
  },
})

const upsell = defineType({
  name: 'upsell',
  title: 'Add-ons',
  type: 'document',
  icon: BasketIcon,
  validation: publishCheck(),
  fields: [
    line('title', 'Heading', 'The largest words of the page.', { max: 100 }),
    paragraph('intro', 'Introduction', 'One or two sentences. Says that skipping is fine.', { max: 300 }),
    lines('benefits', 'Benefits', 'Three short lines.', { max: 5 }),
    defineField({
      name: 'addOns',
      title: 'Add-ons',
      description: 'The bundle and every guide, each once. Drag to change the order.',
      type: 'array',
      of: [defineArrayMember({ type: 'addOn' })],
      validation: (rule) => rule.required(),
    }),
    references('testimonials', 'Testimonials', 'They change every five seconds.', 'testimonial', 1, 12),
    line(
      'addButton',
      'Button',
      `In the bar with the total. Where it is a duty, the button has its words by law instead. ` +
        dutyNote('payment_label'),
      { max: 40 },
    ),
    line('skipButton', 'Link to skip', 'Goes on without add-ons.', { max: 40 }),
    sampleMark(),
  ],
  preview: { select: { subtitle: 'title' }, prepare: ({ subtitle }) => ({ title: 'Add-ons', subtitle }) },
})

export const upsellTypes = [addOn, upsell]

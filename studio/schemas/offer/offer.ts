import { TagIcon } from '@sanity/icons/Tag'
import { defineType } from 'sanity'
import { dutyNote } from '../../../contract/duties/table.ts'
import { line, lines, paragraph, sampleMark } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

export const offer = defineType({
  name: 'offer',
  title: 'Special offer',
  type: 'document',
  icon: TagIcon,
  description: 'Shown once to visitors who leave the checkout without paying.',
  validation: publishCheck(),
  groups: [
    { name: 'intro', title: 'First page', default: true },
    { name: 'details', title: 'Second page' },
  ],
  fields: [
    line('introTitle', 'Heading', 'The largest words of the first page.', { group: 'intro', max: 80 }),
    paragraph(
      'introText',
      'Text',
      'Has to say {specialOfferPrice}, {listPrice}, {monthlyPrice} and {renewalDays}. {specialOfferSaving} ' +
        'is the true saving.',
      { group: 'intro', max: 300 },
    ),
    line('introButton', 'Button', 'Leads to the second page.', { group: 'intro', max: 60 }),
    line('introDecline', 'Link to decline', 'Leads back to the regular price.', { group: 'intro', max: 80 }),
    line('detailsTitle', 'Heading', 'The largest words of the second page.', { group: 'details', max: 80 }),
    paragraph('detailsText', 'Text', 'Has to say {specialOfferPrice}.', { group: 'details', max: 300 }),
    lines(
      'detailsPoints',
      'Terms in short',
      `What is paid and when, how to cancel. ${dutyNote('terms_beside_button')}`,
      { group: 'details' },
    ),
    line('detailsButton', 'Button', 'Opens the payment window.', { group: 'details', max: 60 }),
    sampleMark('intro'),
  ],
  preview: { select: { subtitle: 'introTitle' }, prepare: ({ subtitle }) => ({ title: 'Special offer', subtitle }) },
})

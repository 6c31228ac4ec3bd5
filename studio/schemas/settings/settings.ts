import { CogIcon } from '@sanity/icons/Cog'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { type DutyId, dutyNote } from '../../../contract/duties/table.ts'
import { line, needed, paragraph, sampleMark } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

function countries(name: string, title: string, description: string, duty?: DutyId) {
  return defineField({
    name,
    title,
    description: duty ? `${description} ${dutyNote(duty)}` : description,
    type: 'array',
    group: 'regions',
    options: { layout: 'tags' },
    of: [defineArrayMember({ type: 'string' })],
    validation: (rule) =>
      rule.unique().custom((items: string[] | undefined) => {
        const wrong = (items ?? []).filter((item) => !/^[A-Z]{2}(-[A-Z]{2})?$/.test(item))
        return wrong.length === 0 || `${wrong.join(', ')}: use two capital letters (DE), or a state such as US-WA.`
      }),
  })
}

export const settings = defineType({
  name: 'settings',
  title: 'Settings',
  type: 'document',
  icon: CogIcon,
  description: 'Names, contact and rules that every page uses.',
  groups: [
    { name: 'product', title: 'Product', default: true },
    { name: 'consent', title: 'Consent' },
    { name: 'regions', title: 'Regions' },
    { name: 'tracking', title: 'Tracking' },
  ],
  validation: publishCheck(),
  fields: [
    line('productName', 'Name of the programme', 'Fills {product} everywhere.', { group: 'product', max: 40 }),
    line('brandName', 'Name of the brand', 'Stands beside the logo.', { group: 'product', max: 40 }),
    defineField({
      name: 'company',
      title: 'Company',
      description:
        'Who sells the programme. Stands in the legal pages, the footer and on receipts; its name fills {company}.',
      type: 'object',
      group: 'product',
      validation: (rule) => rule.required(),
      fields: [
        line('name', 'Name', 'With its legal form.', { max: 80 }),
        line('address', 'Address', 'Street, number, postal code and town.'),
        line('country', 'Country', 'In English.', { max: 60 }),
      ],
    }),
    defineField({
      name: 'contactEmail',
      title: 'E-mail address for questions',
      description: 'Fills {contactEmail}. Somebody has to read it.',
      type: 'string',
      group: 'product',
      validation: (rule) => needed(rule.email(), 'An e-mail address is needed.'),
    }),
    line(
      'advertorialLabel',
      'Label of advertorials',
      'Stands above every advertorial, so that readers know who is speaking. Many countries require it.',
      { group: 'product', optional: true, max: 40 },
    ),
    defineField({
      name: 'readingEnabled',
      title: 'Reading product',
      description: 'Switches the pages of the older reading product on.',
      type: 'boolean',
      group: 'product',
      initialValue: false,
    }),
    sampleMark('product'),
    paragraph(
      'healthConsentText',
      'Consent to store health answers',
      'Asked on Welcome in the regions listed under “Regions”. Change the version below whenever you change ' +
        `a consent text. These words are evidence. ${dutyNote('health_consent')}`,
      { group: 'consent' },
    ),
    paragraph(
      'marketingConsentText',
      'Marketing consent',
      `Beside the checkbox in the checkout. ${dutyNote('marketing_consent')}`,
      {
        group: 'consent',
        max: 300,
      },
    ),
    defineField({
      name: 'consentVersion',
      title: 'Version of the consent texts',
      description:
        'Stored with every consent as evidence. Use the date on which the words changed; visitors who agreed to ' +
        'other words about their answers are asked again.',
      type: 'string',
      group: 'consent',
      validation: (rule) =>
        rule
          .required()
          .regex(/^\d{4}-\d{2}-\d{2}$/)
          .error('A date such as 2026-11-01.'),
    }),
    countries(
      'markets',
      'Where you sell',
      'The countries that your ads and offers are meant for; empty: everywhere. “Before launch” lists each duty of ' +
        'theirs that is not met, and a production build stops there.',
    ),
    countries(
      'marketingPretickedCountries',
      'Marketing box ticked in advance',
      'Countries whose law allows it. Visitors from elsewhere, or from an unknown place, find it unticked. Not ticked:',
      'marketing_consent',
    ),
    countries(
      'healthConsentRegions',
      'Ask before health answers leave the browser',
      'Countries, and states such as US-WA, with laws about health data.',
      'health_consent',
    ),
    countries(
      'strictBuyingCountries',
      'Stricter buying rules',
      'Here the pay button names the duty to pay and the amount, add-ons are not pre-selected, ' +
        'and buyers may withdraw.',
      'payment_label',
    ),
    defineField({
      name: 'gtmId',
      title: 'Google Tag Manager',
      description: 'Container id such as GTM-ABC123. Empty: the script is never loaded.',
      type: 'string',
      group: 'tracking',
      validation: (rule) => rule.regex(/^GTM-[A-Z0-9]+$/).error('An id such as GTM-ABC123, or nothing.'),
    }),
    defineField({
      name: 'metaPixelId',
      title: 'Meta pixel',
      description: 'Digits only. Empty: the script is never loaded.',
      type: 'string',
      group: 'tracking',
      validation: (rule) => rule.regex(/^\d{8,20}$/).error('The digits of the pixel id, or nothing.'),
    }),
  ],
  preview: { select: { subtitle: 'productName' }, prepare: ({ subtitle }) => ({ title: 'Settings', subtitle }) },
})

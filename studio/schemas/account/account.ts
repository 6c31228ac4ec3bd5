import { UserIcon } from '@sanity/icons/User'
import { defineType } from 'sanity'
import { line, lines, paragraph, sampleMark } from '../fields.ts'
import { publishCheck } from '../publish-check.ts'

export const account = defineType({
  name: 'account',
  title: 'Account and thank-you',
  type: 'document',
  icon: UserIcon,
  validation: publishCheck(),
  groups: [
    { name: 'account', title: 'Account', default: true },
    { name: 'thanks', title: 'Thank-you' },
  ],
  fields: [
    line('title', 'Heading', 'Of the page on which buyers choose a password.', { group: 'account', max: 80 }),
    paragraph('intro', 'Introduction', 'Says that the e-mail address is the username.', { group: 'account', max: 300 }),
    line('button', 'Button', 'Makes the account.', { group: 'account', max: 40 }),
    line('thankYouTitle', 'Heading', 'Of the thank-you page.', { group: 'thanks', max: 80 }),
    paragraph('thankYouText', 'Text', 'How to begin.', { group: 'thanks', max: 400 }),
    line('featuresTitle', 'Heading of the features', 'Above the list.', { group: 'thanks', max: 80 }),
    lines('features', 'Features', 'What the programme includes.', { group: 'thanks' }),
    line('startButton', 'Button', 'Opens the programme.', { group: 'thanks', max: 40 }),
    line('defaultProgrammeTitle', 'Name when nothing is found', 'Shown with the price “Priceless”.', {
      group: 'thanks',
      max: 80,
    }),
    sampleMark('account'),
  ],
  preview: {
    select: { subtitle: 'thankYouTitle' },
    prepare: ({ subtitle }) => ({ title: 'Account and thank-you', subtitle }),
  },
})

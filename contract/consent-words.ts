/** The words of the banner. Apart from the rule, which pages without it need too. */
export const CONSENT_WORDS = {
  title: 'Your privacy',
  text:
    'May we measure how this site is used, and which of our ads people come from? Your answers in the quiz are ' +
    'never part of it. You can change this at any time under “Privacy choices”.',
  privacy: 'Our privacy page',
  analytics: 'Measuring how pages are used (by us alone)',
  advertising: 'Measuring our ads (with Meta and Google)',
  accept: 'Allow both',
  refuse: 'Allow neither',
  choose: 'Choose',
  save: 'Save my choice',
  link: 'Privacy choices',
} as const

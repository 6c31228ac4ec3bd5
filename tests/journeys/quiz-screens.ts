/** The screens of the quiz according to the specification, for journeys to check the real pages against. */
export interface Screen {
  /** The specified title; where the texts leave the wording to us, a question of one sentence. */
  title: string | RegExp
  kind: 'one' | 'one-next' | 'many' | 'info' | 'loader' | 'email'
  /** Labels as a visitor reads them, in their order. */
  options?: readonly string[]
  /** What has to be on the screen, to the letter. */
  texts?: readonly (string | RegExp)[]
  /** What each list has, to the letter and nothing else: the items by a selector. */
  lists?: Readonly<Record<string, readonly string[]>>
}

const OURS = /^[A-Z][^.?!]+\?$/

/** S-07, S-14, S-21: length in milliseconds and the texts, each for an equal share of it. */
export const LOADERS: Readonly<Record<number, { title: string; ms: number; texts: readonly string[] }>> = {
  7: {
    title: 'Generating the first part of your personal eyes workout program',
    ms: 6500,
    texts: [
      'Assessing problem areas',
      'Matching symptoms',
      'Analyzing wearables',
      'Matching symptoms occurrence frequency',
      'Finalizing analysis',
    ],
  },
  14: {
    title: 'Analyzing your digital habits and eye strain patterns',
    ms: 6200,
    texts: [
      'Analyzing screen time patterns',
      'Evaluating lighting conditions',
      'Assessing break frequency',
      'Calculating digital eye strain risk',
      'Measuring blink rate impact',
      'Computing Eye Drain Index',
      'Generating personalized insights',
      'Finalizing analysis',
    ],
  },
  21: {
    title: 'Creating your personalized Brightgaze program',
    ms: 5600,
    texts: [
      'Processing exercise preferences',
      'Analyzing time commitment',
      'Calculating personalized routine',
      'Generating Brightgaze plan',
      'Finalizing recommendations',
      'Completing analysis',
    ],
  },
}

/** By the requirement that describes them: S-01 is the first step. */
const SCREENS: Readonly<Record<string, Screen>> = {
  'S-01': {
    title: "What's your natural eye color?",
    kind: 'one-next',
    options: ['Amber', 'Blue', 'Brown', 'Gray', 'Green', 'Hazel', 'Heterochromia', 'Other'],
  },
  'S-02': {
    title: 'Any symptoms you would like to improve?',
    kind: 'many',
    options: ['Blurry vision', 'Red Eyes', 'Eye Strain', 'Headaches'],
    texts: ["If there's nothing you want to improve in selection - feel free press next"],
  },
  'S-03': {
    title: OURS,
    kind: 'one',
    options: [
      'Rarely (once a month or less)',
      'Occasionally (a few times a month)',
      'Frequently (weekly)',
      'Daily',
      'Multiple times per day',
    ],
  },
  'S-04': {
    title: OURS,
    kind: 'many',
    options: [
      'Morning',
      'Afternoon',
      'Evening',
      'After extended screen time',
      'After reading',
      'In bright environments',
    ],
  },
  'S-05': {
    title: OURS,
    kind: 'one',
    options: ['Yes, glasses', 'Yes, contact lenses', 'Yes, both glasses and contacts', "No, I don't wear either"],
  },
  'S-06': {
    title: /\S/,
    kind: 'info',
    texts: [
      'Did you know?',
      '80% of adults experience dry eyes, redness, blurry vision or eye strain',
      'Only 1 in 5 takes action',
      'Targeted exercises can reduce symptoms by up to 50% in a week',
    ],
  },
  'S-07': { title: LOADERS[7]?.title ?? '', kind: 'loader' },
  'S-08': {
    title: OURS,
    kind: 'many',
    options: ['Smartphone', 'Computer/Laptop', 'Tablet', 'Television', 'E-reader', 'Gaming console'],
  },
  'S-09': {
    title: 'How many hours do you spend looking at digital screens daily?',
    kind: 'one-next',
    options: ['Less than 2 hours', '2-4 hours', '4-8 hours', 'More than 8 hours'],
  },
  'S-10': {
    title: OURS,
    kind: 'one',
    options: ['Natural daylight', 'Bright artificial lighting', 'Dim artificial lighting', 'Mixed lighting conditions'],
  },
  'S-11': {
    title: OURS,
    kind: 'one',
    options: ['Yes, very sensitive', 'Somewhat sensitive', 'Not very sensitive', 'Not sensitive at all'],
  },
  'S-12': {
    title: /20-20-20 rule/,
    kind: 'info',
    texts: [
      'Every 20 minutes, look at something 20 feet away for 20 seconds',
      'On screens, the blink rate falls from 15-20 to 5-7 per minute',
    ],
  },
  'S-13': {
    title: OURS,
    kind: 'one',
    options: [
      'Yes, I follow the 20-20-20 rule',
      'Yes, but not regularly',
      'I rarely take breaks',
      "I wasn't aware I should",
    ],
  },
  'S-14': { title: LOADERS[14]?.title ?? '', kind: 'loader' },
  'S-15': {
    title: /Eye Drain Index/,
    kind: 'info',
    texts: [
      'The index measures eye fatigue during screen use',
      'It rises through the day',
      'It can be reduced with custom exercises and breaks',
    ],
  },
  'S-16': {
    title: OURS,
    kind: 'one',
    options: ['Within 6 months', '6-12 months ago', '1-2 years ago', 'More than 2 years ago', 'Never'],
  },
  'S-17': {
    title: OURS,
    kind: 'one',
    options: ['Prescription drops/medications', 'Over-the-counter drops', 'Both', 'None'],
  },
  'S-18': { title: OURS, kind: 'one', options: ['Yes', 'No', 'Not sure'] },
  'S-19': {
    title: /stigmatism/,
    kind: 'info',
    texts: [
      'Did you know?',
      'About 30% of people have astigmatism',
      '60% wait over 2 years between checkups',
      'Exercises address muscle weakness, unlike drops and vitamins',
    ],
  },
  'S-20': {
    title: OURS,
    kind: 'one',
    options: ['Under 5 min', '5-10 min', '10-15 min', '15-20 min', 'Over 20 min'],
  },
  'S-21': { title: LOADERS[21]?.title ?? '', kind: 'loader' },
  'S-22': {
    title: /\S/,
    kind: 'info',
    texts: [
      'Did you know?',
      '5 minutes of exercises daily',
      'Muscles strengthened by up to 30%',
      'Strain reduced for 78% of participants',
      'Improvements after 10 days',
    ],
  },
  'S-23': {
    title: 'Congrats! Your vision improvement summary and program is ready!',
    kind: 'email',
    texts: ['We will not send any marketing emails without separate consent'],
  },
  'S-24': {
    title: /Eye Drain Index/,
    kind: 'info',
    texts: ['5 minutes a day is 2.5 hours a month', '30% stronger muscles', 'Strain reduced for 8 of 10 users'],
  },
  'S-25': {
    title: 'Your Eyes May Be At Risk',
    kind: 'info',
    texts: ['YOU are here: 32%', 'With Brightgaze', 'Eye Strain Zone', 'Eye Wellness Zone'],
    lists: {
      '[data-zone="strain"] li': [
        'Frequent eye fatigue',
        'Blurry vision after screen use',
        'Dry irritated eyes',
        'Poor focus flexibility',
        'Increased light sensitivity',
        'Headaches from eye strain',
      ],
      '[data-zone="wellness"] li': [
        'Sustained comfort',
        'Clear vision at all distances',
        'Hydrated eyes',
        'Quick focus adaptation',
        'Comfortable light tolerance',
        'Fewer eye-related headaches',
      ],
    },
  },
  'S-26': {
    title: 'Vision Health Summary',
    kind: 'info',
    texts: [
      'Eye Strain Index',
      /3[5-9]\.\d on a scale from 32\.2 to 39\.9/,
      'Visual Age',
      'Low recovery',
      /no medical measurement/,
    ],
  },
  'S-27': { title: /recovery/i, kind: 'info', texts: ['Very slow', /your eyes get little time to recover/] },
  'S-28': { title: /plan/i, kind: 'info' },
  'S-29': { title: /three weeks/, kind: 'info', texts: [/Week 1/, /Week 2/, /Week 3/] },
  'S-30': { title: /\S/, kind: 'info' },
  'S-31': { title: /\S/, kind: 'info' },
  'S-32': { title: /\S/, kind: 'info' },
  'S-33': { title: 'Chose a Trial Price', kind: 'info', options: ['$1', '$5', '$9', '$17.67'] },
}

/** The requirement that describes a step. */
export const requirementOf = (step: number): string => `S-${String(step).padStart(2, '0')}`

/** What a step shows. Throws for a step that the quiz does not have. */
export function screenOf(step: number): Screen {
  const screen = SCREENS[requirementOf(step)]
  if (!screen) throw new Error(`no screen ${step}`)
  return screen
}

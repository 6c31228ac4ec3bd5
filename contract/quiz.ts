import type { AgeGroup } from './ages.ts'

/**
 * The quiz's vocabulary: storage keys, stable answer values and the rules that read them. Labels belong to editors and
 * may change; the values here may not, because scoring, stored answers and reports depend on them.
 */

/** the storage keys of the questions, in the order of the steps. */
export const QUESTION_KEYS = [
  'eyeColor',
  'symptoms',
  'symptomFrequency',
  'symptomTiming',
  'visionCorrection',
  'digitalDevices',
  'screenTime',
  'workLighting',
  'lightSensitivity',
  'screenBreaks',
  'lastEyeExam',
  'eyeMedications',
  'astigmatism',
  'exerciseTime',
] as const
export type QuestionKey = (typeof QUESTION_KEYS)[number]

export const SYMPTOMS = ['blurry', 'red', 'strain', 'headaches'] as const
export type Symptom = (typeof SYMPTOMS)[number]
/** S-03: the names of the chosen symptoms in the subtitle. */
export const SYMPTOM_LABELS: Readonly<Record<Symptom, string>> = {
  blurry: 'Blurry vision',
  red: 'Red Eyes',
  strain: 'Eye Strain',
  headaches: 'Headaches',
}
export const NO_SYMPTOMS_LABEL = 'No symptoms selected'

/** The values of every question: the specification's ids where it has them, else its texts. */
export const ANSWER_VALUES: Readonly<Record<QuestionKey, readonly string[]>> = {
  eyeColor: ['amber', 'blue', 'brown', 'gray', 'green', 'hazel', 'heterochromia', 'other'],
  symptoms: SYMPTOMS,
  symptomFrequency: ['Rarely', 'Occasionally', 'Frequently', 'Daily', 'Multiple times per day'],
  symptomTiming: [
    'Morning',
    'Afternoon',
    'Evening',
    'After extended screen time',
    'After reading',
    'In bright environments',
  ],
  visionCorrection: [
    'Yes, glasses',
    'Yes, contact lenses',
    'Yes, both glasses and contacts',
    "No, I don't wear either",
  ],
  digitalDevices: ['Smartphone', 'Computer/Laptop', 'Tablet', 'Television', 'E-reader', 'Gaming console'],
  screenTime: ['Less than 2 hours', '2-4 hours', '4-8 hours', 'More than 8 hours'],
  workLighting: [
    'Natural daylight',
    'Bright artificial lighting',
    'Dim artificial lighting',
    'Mixed lighting conditions',
  ],
  lightSensitivity: ['Yes, very sensitive', 'Somewhat sensitive', 'Not very sensitive', 'Not sensitive at all'],
  screenBreaks: ['follows the 20-20-20 rule', 'yes but not regularly', 'rarely take breaks', "wasn't aware I should"],
  lastEyeExam: ['within 6 months', '6-12 months', '1-2 years', 'more than 2 years', 'never'],
  eyeMedications: ['prescription drops/medications', 'over-the-counter drops', 'both', 'none'],
  astigmatism: ['Yes', 'No', 'Not sure'],
  exerciseTime: ['under 5 min', '5-10', '10-15', '15-20', 'over 20'],
}

/** Values that scoring reads (K-05): an editor may relabel these options but never remove them. */
export const SCORED_KEYS: readonly QuestionKey[] = ['symptoms', 'symptomFrequency', 'screenTime', 'screenBreaks']

export const RECOVERY = {
  very_slow: { label: 'Very slow', position: 15, tone: 'red' },
  slow: { label: 'Slow', position: 30, tone: 'orange' },
} as const

/**
 * Everything the browser keeps under `quiz_answers` (section 3 of the first text). Unknown keys are kept as they are.
 */
export interface QuizAnswers {
  ageGroup?: AgeGroup
  symptoms?: string[]
  symptomFrequency?: string
  screenTime?: string
  screenBreaks?: string
  eyeStrainIndex?: number
  visualAge?: number
  recoverySpeed?: string
  recoveryPosition?: number
  selectedPrice?: number
  email?: string
  personalInsight?: string
  [key: string]: unknown
}

/** Recovery speed score (section 4 of the first text): 4 or more is 'Very slow'. */
export function recoveryScore(answers: QuizAnswers): number {
  const symptoms = answers.symptoms?.length ?? 0
  const often = answers.symptomFrequency
  const screen = answers.screenTime
  const breaks = answers.screenBreaks
  return (
    (symptoms >= 3 ? 2 : symptoms === 2 ? 1 : 0) +
    (often === 'Daily' || often === 'Multiple times per day' ? 2 : often === 'Frequently' ? 1 : 0) +
    (screen === 'More than 8 hours' || screen === '4-8 hours' ? 1 : 0) +
    (breaks === 'rarely take breaks' || breaks === "wasn't aware I should" ? 1 : 0)
  )
}

/** S-27: 'Very slow' (15, red) from a score of 4, otherwise 'Slow' (30, orange). */
export function recoveryOf(answers: QuizAnswers): (typeof RECOVERY)[keyof typeof RECOVERY] {
  return recoveryScore(answers) >= 4 ? RECOVERY.very_slow : RECOVERY.slow
}

/** A number in [0, 1), as Math.random gives it. */
export type Random = () => number

export const EYE_STRAIN_INDEX = { from: 35.1, to: 39.1, scaleFrom: 32.2, scaleTo: 39.9 } as const

/** S-26: the Eye Strain Index, one decimal, 35.1 to 39.1, every tenth equally likely. */
export function drawEyeStrainIndex(random: Random): number {
  const tenths = Math.round((EYE_STRAIN_INDEX.to - EYE_STRAIN_INDEX.from) * 10)
  return Number((EYE_STRAIN_INDEX.from + Math.floor(random() * (tenths + 1)) / 10).toFixed(1))
}

const AGE_BANDS: Readonly<Record<AgeGroup, readonly [number, number]>> = {
  '18-29': [18, 29],
  '30-45': [30, 45],
  '46-59': [46, 59],
  '60+': [60, 75],
}

/** S-26: a random age within the band plus 6 to 13 years; 18-29 where no age group was chosen. */
export function drawVisualAge(ageGroup: AgeGroup | undefined, random: Random): number {
  const [from, to] = AGE_BANDS[ageGroup ?? '18-29']
  const age = from + Math.floor(random() * (to - from + 1))
  return age + 6 + Math.floor(random() * 8)
}

/**
 * an answer as the service stores it: arrays joined by comma, objects as JSON, an empty array as an empty string.
 * Returns undefined for null and undefined, which are skipped.
 */
export function encodeAnswer(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

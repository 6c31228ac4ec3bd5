import { isAgeGroup } from '../../contract/ages.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { asRecord, KEYS, local, readJson, type Store } from './storage.ts'

const STRINGS = ['symptomFrequency', 'screenTime', 'screenBreaks', 'recoverySpeed', 'email', 'personalInsight'] as const
const NUMBERS = ['eyeStrainIndex', 'visualAge', 'recoveryPosition', 'selectedPrice'] as const

/**
 * Stored answers, parsed field by field: a field of the wrong shape is dropped, unknown fields are kept as they are.
 */
export function asQuizAnswers(value: unknown): QuizAnswers | undefined {
  const record = asRecord(value)
  if (!record) return undefined
  const answers: QuizAnswers = { ...record }
  if (!isAgeGroup(answers.ageGroup)) delete answers.ageGroup
  if (!Array.isArray(answers.symptoms) || !answers.symptoms.every((one) => typeof one === 'string')) {
    delete answers.symptoms
  }
  for (const key of STRINGS) if (typeof answers[key] !== 'string') delete answers[key]
  for (const key of NUMBERS) if (!Number.isFinite(answers[key])) delete answers[key]
  return answers
}

/** Everything under `quiz_answers`; {} when there is nothing. */
export function readAnswers(store: Store = local): QuizAnswers {
  return readJson(store, KEYS.answers, asQuizAnswers) ?? {}
}

import { encodeAnswer, isAgeGroup, type QuizAnswers } from '../../contract/quiz.ts'
import { queueAnswer } from './outbox-store.ts'
import { asRecord, KEYS, local, readJson, writeJson, type Store } from './storage.ts'

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

/** keeps an answer in the browser at once and queues it for the service. The visitor never waits. */
export function saveAnswer(questionId: string, value: unknown): QuizAnswers {
  const answers = { ...readAnswers(), [questionId]: value }
  writeJson(local, KEYS.answers, answers)
  const encoded = encodeAnswer(value)
  if (encoded !== undefined) queueAnswer(questionId, encoded)
  return answers
}

/** Queues every answer the browser holds, for a session that does not have them yet (C-01, C-02). */
export function queueAllAnswers(): void {
  for (const [questionId, value] of Object.entries(readAnswers())) {
    const encoded = encodeAnswer(value)
    if (encoded !== undefined) queueAnswer(questionId, encoded)
  }
}

/** Keeping and queueing answers. Separate from answers.ts: every page reads them, the quiz and a new session save. */
import { encodeAnswer, type QuizAnswers } from '../../contract/quiz.ts'
import { readAnswers } from './answers.ts'
import { queueAnswer } from './outbox-store.ts'
import { KEYS, local, writeJson } from './storage.ts'

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

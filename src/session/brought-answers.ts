import { decodeAnswer } from '../../contract/answers.ts'
import { asQuizAnswers, readAnswers } from './answers.ts'
import { call } from './client.ts'
import { KEYS, local, writeJson } from './storage.ts'

/**
 * C-02: copies a session's answers into a browser that has just been let into it; they win over what it held. `over`:
 * what it held is for a new order, and wins (P-14). Never throws; if the service does not answer, nothing changes.
 */
export async function bringAnswers(sessionId: string, over?: boolean): Promise<void> {
  const outcome = await call('answers', { path: { sessionId }, timeoutMs: 5_000 })
  if (!outcome.ok) return
  const entries = outcome.data.answers.map(({ questionId, answer }) => [questionId, decodeAnswer(questionId, answer)])
  const brought = asQuizAnswers(Object.fromEntries(entries)) ?? {}
  writeJson(local, KEYS.answers, over ? { ...brought, ...readAnswers() } : { ...readAnswers(), ...brought })
}

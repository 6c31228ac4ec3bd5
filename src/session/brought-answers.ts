import { decodeAnswer } from '../../contract/answers.ts'
import { asQuizAnswers, readAnswers } from './answers.ts'
import { call } from './client.ts'
import { KEYS, local, writeJson } from './storage.ts'

/**
 * C-02: copies a session's answers into a browser that has just been let into it; they win over what it held. `own`:
 * the visit began here, so this browser's answers are newer and win. Never throws; if the service does not answer,
 * nothing changes.
 */
export async function bringAnswers(sessionId: string, own: boolean): Promise<void> {
  const outcome = await call('answers', { path: { sessionId }, timeoutMs: 5_000 })
  if (!outcome.ok) return
  const entries = outcome.data.answers.map(({ questionId, answer }) => [questionId, decodeAnswer(questionId, answer)])
  const brought = asQuizAnswers(Object.fromEntries(entries)) ?? {}
  writeJson(local, KEYS.answers, own ? { ...brought, ...readAnswers() } : { ...readAnswers(), ...brought })
}

import { decodeAnswer } from '../../contract/answers.ts'
import { asQuizAnswers, readAnswers } from './answers.ts'
import { call } from './client.ts'
import { KEYS, local, writeJson } from './storage.ts'

/**
 * C-02: the answers of a visit come along into a browser that has just been let into it, and win over what
 * it held. `own`: the visit began here, so what this browser holds is newer. Never throws; without an
 * answer the page goes on as it is.
 */
export async function bringAnswers(sessionId: string, own: boolean): Promise<void> {
  const outcome = await call('answers', { path: { sessionId }, timeoutMs: 5_000 })
  if (!outcome.ok) return
  const entries = outcome.data.answers.map(({ questionId, answer }) => [questionId, decodeAnswer(questionId, answer)])
  const brought = asQuizAnswers(Object.fromEntries(entries)) ?? {}
  writeJson(local, KEYS.answers, own ? { ...brought, ...readAnswers() } : { ...readAnswers(), ...brought })
}

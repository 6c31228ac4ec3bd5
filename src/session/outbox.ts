import type { ApiName, RequestOf } from '../../contract/api.ts'
import { asRecord } from './storage.ts'

/**
 * What has not yet reached the service, as a value: pure rules, kept in localStorage by queue.ts. One entry per
 * question and one per write: the last one wins, so sending twice changes nothing.
 */
export type WriteName = Extract<
  ApiName,
  'setSessionEmail' | 'setPaymentsEmail' | 'setUsersEmail' | 'setPrice' | 'completeQuiz'
>
export const WRITE_NAMES: readonly WriteName[] = [
  'setSessionEmail',
  'setPaymentsEmail',
  'setUsersEmail',
  'setPrice',
  'completeQuiz',
]

export interface Outbox {
  answers: Record<string, { answer: string; at: string }>
  writes: Partial<{ [N in WriteName]: { body: RequestOf<N>; at: string } }>
}

export const EMPTY_OUTBOX: Outbox = { answers: {}, writes: {} }

export function isEmpty(outbox: Outbox): boolean {
  return Object.keys(outbox.answers).length === 0 && Object.keys(outbox.writes).length === 0
}

export function withAnswer(outbox: Outbox, questionId: string, answer: string, at: string): Outbox {
  return { ...outbox, answers: { ...outbox.answers, [questionId]: { answer, at } } }
}

export function withWrite<N extends WriteName>(outbox: Outbox, name: N, body: RequestOf<N>, at: string): Outbox {
  return { ...outbox, writes: { ...outbox.writes, [name]: { body, at } } }
}

/** A stored outbox, parsed entry by entry: broken entries are dropped, the rest is kept. */
export function asOutbox(value: unknown): Outbox | undefined {
  const record = asRecord(value)
  if (!record) return undefined
  const answers: Outbox['answers'] = {}
  for (const [questionId, entry] of Object.entries(asRecord(record.answers) ?? {})) {
    const found = asRecord(entry)
    if (typeof found?.answer === 'string' && typeof found.at === 'string') {
      answers[questionId] = { answer: found.answer, at: found.at }
    }
  }
  const writes: Record<string, { body: unknown; at: string }> = {}
  const stored = asRecord(record.writes)
  for (const name of WRITE_NAMES) {
    const found = asRecord(stored?.[name])
    const body = asRecord(found?.body)
    if (body && typeof found?.at === 'string') writes[name] = { body, at: found.at }
  }
  return { answers, writes: writes as Outbox['writes'] }
}

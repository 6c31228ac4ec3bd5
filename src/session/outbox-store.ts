import type { RequestOf } from '../../contract/api.ts'
import { encodeAnswer, type QuizAnswers } from '../../contract/quiz.ts'
import { readAnswers } from './answers.ts'
import { asOutbox, EMPTY_OUTBOX, isEmpty, withAnswer, withWrite, type Outbox, type WriteName } from './outbox.ts'
import { KEYS, local, readJson, writeJson } from './storage.ts'

/**
 * The outbox in localStorage, and a listener. Code that only queues (a quiz before its first answer) needs no network
 * code; queue.ts, which sends, loads later and listens.
 */
let ring: () => void = () => undefined

export const readOutbox = (): Outbox => readJson(local, KEYS.outbox, asOutbox) ?? EMPTY_OUTBOX

/** An empty outbox stores nothing, so that a page can tell without loading its code. */
export function changeOutbox(rule: (outbox: Outbox) => Outbox): void {
  const outbox = rule(readOutbox())
  if (isEmpty(outbox)) local.remove(KEYS.outbox)
  else writeJson(local, KEYS.outbox, outbox)
}

/** Calls `listener` whenever something was queued. One listener: the sender. */
export function onQueued(listener: () => void): void {
  ring = listener
}

/** Queues an answer, already encoded; answers given close together travel together. */
export function queueAnswer(questionId: string, answer: string): void {
  changeOutbox((outbox) => withAnswer(outbox, questionId, answer, new Date().toISOString()))
  ring()
}

/** Queues one of the other writes, to be tried in the background. */
export function queueWrite<N extends WriteName>(name: N, body: RequestOf<N>): void {
  changeOutbox((outbox) => withWrite(outbox, name, body, new Date().toISOString()))
  ring()
}

/** keeps an answer in the browser at once and queues it for the service. The visitor never waits. */
export function saveAnswer(questionId: string, value: unknown): QuizAnswers {
  const answers = { ...readAnswers(), [questionId]: value }
  writeJson(local, KEYS.answers, answers)
  const encoded = encodeAnswer(value)
  if (encoded !== undefined) queueAnswer(questionId, encoded)
  return answers
}

/**
 * Queues every answer the browser holds, for a session that does not have them yet (C-01, C-02). The address lies
 * beside them and is none: it has a write of its own.
 */
export function queueAllAnswers(): void {
  for (const [questionId, value] of Object.entries(readAnswers())) {
    if (questionId === 'email') continue
    const encoded = encodeAnswer(value)
    if (encoded !== undefined) queueAnswer(questionId, encoded)
  }
}

import type { AnswerInput } from '../../contract/api.ts'
import type { Outbox, WriteName } from './outbox.ts'

/** The outbox as the sender sees it (queue.ts): what goes next, what has arrived, when to try again. Pure rules. */

/** Most answers in one request. */
export const BATCH = 50

/** The next answers to send, oldest first. */
export function nextBatch(outbox: Outbox): AnswerInput[] {
  return Object.entries(outbox.answers)
    .map(([questionId, { answer, at }]) => ({ questionId, answer, answeredAt: at }))
    .sort((a, b) => a.answeredAt.localeCompare(b.answeredAt))
    .slice(0, BATCH)
}

/** The outbox after a batch has arrived: an answer that changed in the meantime stays. */
export function withoutAnswers(outbox: Outbox, sent: readonly AnswerInput[]): Outbox {
  const answers = { ...outbox.answers }
  for (const { questionId, answeredAt } of sent) if (answers[questionId]?.at === answeredAt) delete answers[questionId]
  return { ...outbox, answers }
}

export function withoutWrite(outbox: Outbox, name: WriteName, at: string): Outbox {
  if (outbox.writes[name]?.at !== at) return outbox
  const { [name]: _, ...writes } = outbox.writes
  return { ...outbox, writes }
}

/**
 * The wait before the next try in milliseconds: 1, 2, 4 … 60 s, plus up to a quarter at random so that tabs do not
 * retry in step.
 */
export function retryWait(failures: number, random: () => number): number {
  return Math.round(Math.min(60_000, 1_000 * 2 ** Math.max(0, failures - 1)) * (1 + random() / 4))
}

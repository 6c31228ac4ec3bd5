import { expect, test, vi } from 'vitest'
import { readAnswers } from './answers.ts'
import { openByCode } from './handover.ts'
import { keepSessionId, storedSessionId } from './id.ts'
import { KEYS, local, writeJson } from './storage.ts'

const OPENED = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const HERE = { eyeColor: 'blue', selectedPrice: 17.67 }
const OF_ITS_VISITOR = [
  ...[KEYS.quizPlace, KEYS.quizStartedAt, KEYS.quizCompleted, KEYS.quizCompletionTime],
  ...[KEYS.quizEmail, KEYS.customerEmail, KEYS.customerName],
]

const service = vi.hoisted(() => ({ opens: true, over: false }))
vi.mock(import('./client.ts'), () => ({
  call: (() =>
    Promise.resolve(
      service.opens ? { ok: true, data: { sessionId: OPENED, over: service.over } } : { ok: false },
    )) as never,
}))

async function opened(held: string): Promise<void> {
  keepSessionId(local, held)
  writeJson(local, KEYS.answers, HERE)
  writeJson(local, KEYS.outbox, { answers: {}, writes: {} })
  for (const key of OF_ITS_VISITOR) local.set(key, 'kept')
  await openByCode('code')
}

test('C-02 nothing of another visit stays in the browser in which a link opens one', async () => {
  await opened(OTHER)
  expect(storedSessionId(local)).toBe(OPENED)
  expect(readAnswers()).toEqual({})
  expect(local.get(KEYS.outbox)).toBeNull()
  expect(OF_ITS_VISITOR.filter((key) => local.get(key))).toEqual([])
})

test('C-02 a link that opens the visit of this browser again takes none of its answers away', async () => {
  await opened(OPENED)
  expect(readAnswers()).toEqual(HERE)
  expect(local.get(KEYS.outbox)).not.toBeNull()
})

test('C-02 P-14 a link to a visit that is over takes nothing away that a new order needs', async () => {
  service.over = true
  await opened(OTHER)
  expect(storedSessionId(local)).toBe(OPENED)
  expect(readAnswers()).toEqual(HERE)
  expect(local.get(KEYS.outbox)).not.toBeNull()
})

test('C-02 a link that opens nothing leaves everything as it was', async () => {
  service.opens = false
  await opened(OTHER)
  expect(storedSessionId(local)).toBe(OTHER)
  expect(readAnswers()).toEqual(HERE)
  expect(local.get(KEYS.outbox)).not.toBeNull()
})

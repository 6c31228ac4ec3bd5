import { expect, test, vi } from 'vitest'
import { readAnswers } from './answers.ts'
import { keepSessionId, storedSessionId } from './id.ts'
import { heldBefore, loadPageSession } from './page-session.ts'
import { KEYS, local, writeJson } from './storage.ts'

const NAMED = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const HERE = { eyeColor: 'blue', selectedPrice: 17.67 }

vi.stubGlobal('location', { hash: '' })
const service = vi.hoisted(() => ({ over: false, lost: false, asked: [] as string[] }))
vi.mock(import('./client.ts'), () => ({
  call: ((name: string) => {
    service.asked.push(name)
    const lost = { ok: false, kind: 'refused', code: 'session_forbidden' }
    return Promise.resolve(service.lost ? lost : { ok: true, data: { sessionId: NAMED, over: service.over } })
  }) as never,
}))

async function opened(held: string, over = false): Promise<object> {
  service.over = over
  keepSessionId(local, held)
  writeJson(local, KEYS.answers, HERE)
  writeJson(local, KEYS.outbox, { answers: {}, writes: {} })
  local.set(KEYS.customerName, 'Ada')
  await loadPageSession(`/checkout/${NAMED}`)
  expect(storedSessionId(local)).toBe(NAMED)
  return { answers: readAnswers(), unsent: local.get(KEYS.outbox) !== null, name: local.get(KEYS.customerName) }
}

test('C-02 the page of a visit orders nothing that another visit of this browser has chosen', async () => {
  expect(await opened(OTHER)).toEqual({ answers: {}, unsent: false, name: null })
})

test('C-02 P-14 its own answers stay, and for a new order those that lie beside a visit that is over', async () => {
  const kept = { answers: HERE, unsent: true, name: 'Ada' }
  expect(await opened(NAMED)).toEqual(kept)
  expect(await opened(OTHER, true)).toEqual(kept)
})

test('D-01 X-02 no page of a visit opens one by a code in its address', async () => {
  service.lost = true
  for (const page of ['checkout', 'user-creation', 'summary']) {
    service.asked = []
    vi.stubGlobal('location', { hash: `#handover=${'c'.repeat(32)}`, pathname: '', search: '' })
    expect(await loadPageSession(`/${page}/${NAMED}`)).toMatchObject({ state: 'lost' })
    expect(service.asked, page).toEqual(['session'])
  }
})

test('C-02 what the browser held is known after the outbox has begun another visit in its place', async () => {
  service.lost = true
  keepSessionId(local, NAMED)
  const lost = loadPageSession(`/checkout/${NAMED}`)
  keepSessionId(local, OTHER)
  expect(await lost).toMatchObject({ state: 'lost', sessionId: NAMED })
  expect([heldBefore(), storedSessionId(local)]).toEqual([NAMED, OTHER])
})

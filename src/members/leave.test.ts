import { expect, test } from 'vitest'
import * as KEYS from '../session/keys.ts'
import { forgetVisit } from './leave.ts'

function storage(entries: Record<string, string>): Storage {
  const map = new Map(Object.entries(entries))
  return {
    get length() {
      return map.size
    },
    key: (at) => [...map.keys()][at] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  }
}
const ID = '0d5f3c1e-7777-4777-8777-123456789abc'
const closed = () => Promise.resolve({ ok: false, status: 403, code: 'session_forbidden' } as never)
const away = () => Promise.resolve({ ok: false, kind: 'network' } as never)
const answering = (paymentStatus: 'paid' | 'unpaid') => () =>
  Promise.resolve({ ok: true, status: 200, data: { paymentStatus } } as never)
const left = (of: Storage) => Array.from({ length: of.length }, (_, at) => of.key(at))

test('V14.3.1 A-05 signing out leaves nothing personal in the browser but a refusal of advertising', async () => {
  const local = storage({ ...Object.fromEntries(Object.values(KEYS).map((key) => [key, 'x'])), older: 'x' })
  const session = storage({ customerEmail: 'a@example.com' })
  await forgetVisit(() => ({ local, session }), closed)
  expect(left(local).sort()).toEqual(
    [KEYS.advertisingConsent, KEYS.analyticsConsent, KEYS.consentPending, KEYS.consentVersion].sort(),
  )
  expect(left(session)).toEqual([])
})

test('V14.3.1 where the browser bars storage, signing out goes on', async () => {
  const barred = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  await expect(forgetVisit(barred, closed)).resolves.toBeUndefined()
})

test('A-05 C-02 after a sign-out an unpaid quiz goes on: its answers and its place stay, the buyer goes', async () => {
  const entries = Object.fromEntries(Object.values(KEYS).map((key) => [key, 'x']))
  const unpaid = storage({ ...entries, [KEYS.sessionId]: ID })
  const session = storage({ customerEmail: 'a@example.com' })
  await forgetVisit(() => ({ local: unpaid, session }), answering('unpaid'))
  const gone = Object.values(KEYS).filter((key) => unpaid.getItem(key) === null)
  expect(gone.sort()).toEqual([KEYS.customerEmail, KEYS.customerName, KEYS.userCreated, KEYS.userEmail].sort())
  expect(left(session)).toEqual([])
  // of which nothing is known while the service does not answer
  const unknown = storage({ ...entries, [KEYS.sessionId]: ID })
  await forgetVisit(() => ({ local: unknown, session }), away)
  expect([unknown.getItem(KEYS.answers), unknown.getItem(KEYS.customerEmail)]).toEqual(['x', null])
  const paid = storage({ ...entries, [KEYS.sessionId]: ID })
  await forgetVisit(() => ({ local: paid, session }), answering('paid'))
  expect(paid.getItem(KEYS.answers)).toBeNull()
})

test('V14.3.1 A-05 after a sign-out the evidence of a consent names no session, and counts as told', async () => {
  const evidence = { choices: [{ kind: 'advertising', granted: false }], wording: 'No', version: '1', page: '/' }
  const kept = JSON.stringify({ ...evidence, of: ID, told: ID })
  const local = storage({ [KEYS.sessionId]: ID, [KEYS.consentPending]: kept })
  await forgetVisit(() => ({ local, session: storage({}) }), closed)
  expect(JSON.parse(local.getItem(KEYS.consentPending) ?? '')).toEqual({ ...evidence, of: '', told: '' })
  // what no session was told stays as it is
  const waiting = storage({ [KEYS.sessionId]: ID, [KEYS.consentPending]: JSON.stringify(evidence) })
  await forgetVisit(() => ({ local: waiting, session: storage({}) }), closed)
  expect(JSON.parse(waiting.getItem(KEYS.consentPending) ?? '')).toEqual(evidence)
})

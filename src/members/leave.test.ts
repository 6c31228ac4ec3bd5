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
const left = (of: Storage) => Array.from({ length: of.length }, (_, at) => of.key(at))

test('V14.3.1 A-05 signing out leaves no name, address or answer in the browser, and keeps a refusal of advertising', () => {
  const local = storage({ ...Object.fromEntries(Object.values(KEYS).map((key) => [key, 'x'])), other: 'x' })
  const session = storage({ customerEmail: 'a@example.com' })
  forgetVisit(() => ({ local, session }))
  expect(left(local).sort()).toEqual(
    [KEYS.advertisingConsent, KEYS.analyticsConsent, KEYS.consentPending, KEYS.consentVersion, 'other'].sort(),
  )
  expect(left(session)).toEqual([])
})

test('V14.3.1 where the browser bars storage, signing out goes on', () => {
  expect(() =>
    forgetVisit(() => {
      throw new DOMException('denied', 'SecurityError')
    }),
  ).not.toThrow()
})

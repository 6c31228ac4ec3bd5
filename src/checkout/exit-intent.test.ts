import { expect, test } from 'vitest'
import { exitIntentTarget } from './exit-intent.ts'

test('C-15 closing the modal is an exit intent once a visit', () => {
  const kept = new Map<string, string>()
  const store = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
  }
  expect(exitIntentTarget('id', store)).toBe('/special-offer-intro/id')
  expect(exitIntentTarget('id', store)).toBeNull()
})

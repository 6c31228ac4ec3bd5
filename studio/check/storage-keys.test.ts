import { expect, test } from 'vitest'
import { withFreshKey } from './storage-keys.ts'

const question = (storageKey: string) => ({ _key: 'k', _type: 'questionStep', storageKey, title: 'When?' })

test('K-01 K-05 a copy of a question has a key of its own; other steps are copied as they are', () => {
  const steps = [question('screenTime'), question('eyes9')]
  expect(withFreshKey(question('screenTime'), steps)).toEqual(question('screenTime2'))
  expect(withFreshKey(question('screenTime'), [...steps, question('screenTime2')])).toEqual(question('screenTime3'))
  expect(withFreshKey(question('eyes9'), steps)).toEqual(question('eyes92'))
  expect(withFreshKey(question('others'), steps)).toEqual(question('others'))
  const facts = { _key: 'f', _type: 'infoStep', storageKey: 'screenTime' }
  expect(withFreshKey(facts, steps)).toBe(facts)
})

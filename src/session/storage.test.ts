import { describe, expect, test } from 'vitest'
import * as KEYS from './keys.ts'
import { asRecord, readJson, safeStore, writeJson } from './storage.ts'
import * as VISIT_KEYS from './visit-keys.ts'

describe('storage of the browser', () => {
  test('Q-14 the names that the specification gives are kept to the letter', () => {
    expect(Object.values(KEYS)).toEqual(
      expect.arrayContaining([
        ...['quiz_answers', 'quiz_session_id', 'quiz_completed', 'quiz_completion_time', 'quiz_email'],
        ...['sessionId', 'session_id', 'redirect_fbclid', 'redirect_step'],
        ...['customer_email', 'customer_name', 'current_product_id', 'user_created', 'user_email'],
      ]),
    )
    expect(Object.values(VISIT_KEYS)).toEqual(expect.arrayContaining(['customerEmail', 'customerName']))
    const all = [...Object.values(KEYS), ...Object.values(VISIT_KEYS)]
    expect(new Set(all).size).toBe(all.length)
  })

  test('Q-14 blocked or full storage never throws: values live in memory for the page', () => {
    const blocked = safeStore(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    blocked.set('a', '1')
    expect(blocked.get('a')).toBe('1')
    blocked.remove('a')
    expect(blocked.get('a')).toBeNull()
    const full = safeStore(
      () =>
        ({
          getItem: () => 'old',
          setItem: () => {
            throw new DOMException('full', 'QuotaExceededError')
          },
        }) as unknown as Storage,
    )
    full.set('a', 'new')
    expect(full.get('a')).toBe('new')
  })

  test('Q-14 a corrupted value is removed and read as absent, whatever it is', () => {
    const kept = new Map([
      ['a', '{broken'],
      ['b', '[1]'],
    ])
    const store = {
      get: (key: string) => kept.get(key) ?? null,
      set: (key: string, value: string) => void kept.set(key, value),
      remove: (key: string) => void kept.delete(key),
    }
    expect(readJson(store, 'a', asRecord)).toBeUndefined()
    expect(readJson(store, 'b', asRecord)).toBeUndefined()
    expect(kept.size).toBe(0)
    writeJson(store, 'c', { x: 1 })
    expect(readJson(store, 'c', asRecord)).toEqual({ x: 1 })
  })
})

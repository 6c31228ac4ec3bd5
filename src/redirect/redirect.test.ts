import { describe, expect, test } from 'vitest'
import { isInAppBrowser, redirectSession, redirectTarget } from './redirect.ts'

const ID = '00000000-0000-4000-8000-000000000001'

describe('redirect', () => {
  test('C-17 keeps fbclid and step, and nothing else', () => {
    expect(redirectTarget(ID, '?fbclid=a%20b&step=12&next=//evil')).toBe(`/checkout/${ID}?fbclid=a+b&step=12`)
    expect(redirectTarget(ID, '')).toBe(`/checkout/${ID}`)
  })

  test('C-17 the session stands in the path or in the query', () => {
    expect(redirectSession(`/redirect/${ID}`, '')).toBe(ID)
    expect(redirectSession('/redirect', `?session_id=${ID.toUpperCase()}`)).toBe(ID)
    expect(redirectSession('/redirect', `?sessionId=${ID}`)).toBe(ID)
    expect(redirectSession('/redirect/nobody', '?session_id=1;drop')).toBeNull()
  })

  test('C-17 knows Facebook and Instagram', () => {
    expect(isInAppBrowser('Mozilla/5.0 (iPhone) AppleWebKit [FBAN/FBIOS;FBAV/400]')).toBe(true)
    expect(isInAppBrowser('Mozilla/5.0 (Linux; Android 14) Instagram 300.0')).toBe(true)
    expect(isInAppBrowser('Mozilla/5.0 (iPhone) Safari/604.1')).toBe(false)
  })
})

import { expect, test } from 'vitest'
import { PASSWORD_HINT, PASSWORD_MAX, PASSWORD_MIN, passwordProblem } from './password.ts'

test('A-01 a password has eight characters and may have two hundred, of any kind', () => {
  const of = (length: number) => `Aa1${'é'.repeat(length - 3)}`
  for (const length of [PASSWORD_MIN, 64, 128, PASSWORD_MAX]) {
    expect(passwordProblem(of(length), of(length)), String(length)).toBeUndefined()
  }
  expect(passwordProblem(of(PASSWORD_MIN - 1), of(PASSWORD_MIN - 1))).toBe('password_too_short')
  expect(PASSWORD_HINT).toBe('At least 8 characters with uppercase, lowercase, and number')
  expect(PASSWORD_MIN).toBeGreaterThanOrEqual(8)
  expect(PASSWORD_MAX).toBeGreaterThanOrEqual(64)
  for (const kind of [
    'Aa1 with blanks',
    'Aa1 日本語のパスワード',
    'Aa1\u{1F441}\u{1F441}\u{1F441}\u{1F441}\u{1F441}',
  ]) {
    expect(passwordProblem(kind, kind), kind).toBeUndefined()
  }
})

import { describe, expect, test } from 'vitest'
import type { Failure } from '../session/http.ts'
import { passwordTrouble, signUpTrouble } from './account.ts'
import { receiptOf } from './receipt.ts'

const failure = (code: string, over: Partial<Failure> = {}): Failure => ({
  ok: false,
  kind: 'refused',
  status: 422,
  code: code as Failure['code'],
  words: null,
  field: null,
  requestId: null,
  ...over,
})

describe('account creation', () => {
  test('A-01 the five password messages, each where it belongs', () => {
    expect(passwordTrouble('Ab1', 'Ab1')).toEqual({
      words: 'Password must be at least 8 characters long',
      field: 'password',
    })
    expect(passwordTrouble('ABCDEFG1', '')?.words).toBe('Password must contain at least one lowercase letter')
    expect(passwordTrouble('abcdefg1', '')?.words).toBe('Password must contain at least one uppercase letter')
    expect(passwordTrouble('Abcdefgh', '')?.words).toBe('Password must contain at least one number')
    expect(passwordTrouble('Abcdefg1', 'Abcdefg2')).toEqual({
      words: 'Passwords do not match',
      field: 'passwordConfirmation',
    })
    expect(passwordTrouble('Abcdefg1', 'Abcdefg1')).toBeUndefined()
  })

  test('A-02 the four failure messages', () => {
    expect(signUpTrouble(failure('account_exists'))).toMatchObject({
      words: 'An account with this email already exists. Please try signing in instead.',
      signIn: true,
    })
    expect(signUpTrouble(failure('account_email_invalid')).words).toBe('Please enter a valid email address.')
    expect(signUpTrouble(failure('account_password_weak')).words).toBe('Password does not meet requirements.')
    expect(signUpTrouble(failure('internal', { status: 500 })).words).toBe(
      'Failed to create account. Please try again.',
    )
    expect(signUpTrouble(failure('', { kind: 'network', status: 0 })).words).toContain('cannot reach')
  })
})

describe('the receipt', () => {
  const copy = {
    programme: 'Brightgaze eye programme',
    addOns: [{ id: 'guide_habits' as const, name: 'Habits', emoji: '⏱️', description: 'Breaks.', label: '' }],
  }

  test('A-03 nothing found: the default programme, Priceless', () => {
    expect(receiptOf([], copy)).toEqual([
      { key: 'programme', name: 'Brightgaze eye programme', emoji: '👁️', description: '', price: 'Priceless' },
    ])
  })

  test('A-03 what was bought, with name, emoji, description and the price that was charged', () => {
    const items = receiptOf(
      [
        {
          productId: 'trial_1',
          amount: 100,
          purchasedAt: '2026-11-20T00:00:00Z',
          refundable: false,
          undoUntil: null,
          undoing: false,
        },
        {
          productId: 'guide_habits',
          amount: 1490,
          purchasedAt: '2026-11-20T00:01:00Z',
          refundable: true,
          undoUntil: null,
          undoing: false,
        },
      ],
      copy,
    )
    expect(items.map(({ name, price }) => [name, price])).toEqual([
      ['Brightgaze eye programme', '$1'],
      ['Habits', '$14.90'],
    ])
  })
})

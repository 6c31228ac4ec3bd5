import { describe, expect, test } from 'vitest'
import { noAnswer, proxyPage, refusal } from '../session/outcomes.fixture.ts'
import type { PurchasedItem } from '../../contract/api.ts'
import { product, type ProductId } from '../../contract/catalogue.ts'
import { passwordTrouble, signUpTrouble } from './account.ts'
import { receiptOf } from './receipt.ts'

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

  test('A-01 a password of more than 200 characters is refused before it is sent', () => {
    const long = `Ab1${'x'.repeat(197)}`
    expect(passwordTrouble(long, long)).toBeUndefined()
    expect(passwordTrouble(`${long}x`, `${long}x`)).toEqual({
      words: 'Please use at most 200 characters.',
      field: 'password',
    })
  })

  test('A-02 the four failure messages, and the way to sign in only where there is an account', () => {
    expect(signUpTrouble(refusal('account_exists', 409))).toEqual({
      words: 'An account with this email already exists. Please try signing in instead.',
      field: null,
      signIn: true,
    })
    expect(signUpTrouble(refusal('account_email_invalid', 422))).toEqual({
      words: 'Please enter a valid email address.',
      field: null,
      signIn: false,
    })
    expect(signUpTrouble(refusal('account_password_weak', 422))).toEqual({
      words: 'Password does not meet requirements.',
      field: 'password',
      signIn: false,
    })
    const failed = { words: 'Failed to create account. Please try again.', field: null }
    expect(signUpTrouble(refusal('internal', 500))).toEqual(failed)
    expect(signUpTrouble(proxyPage())).toEqual(failed)
  })

  test('A-01 a rule of passwords that only the service checks is said at the field it is about', () => {
    expect(signUpTrouble(refusal('password_common', 422))).toEqual({
      words: 'This password is among the most common ones, which are guessed first. Please choose another one',
      field: 'password',
    })
    expect(signUpTrouble(refusal('passwords_differ', 422)).field).toBe('passwordConfirmation')
  })

  test('A-02 no answer says that nothing is lost; too many tries say how long to wait', () => {
    for (const kind of ['network', 'timeout'] as const) {
      expect(signUpTrouble(noAnswer(kind))).toEqual({
        words: 'We cannot reach our service. Nothing is lost: please check your connection and try again.',
        field: null,
      })
    }
    expect(signUpTrouble(refusal('too_many_requests', 429, { words: 'Please try again in 5 minutes.' }))).toEqual({
      words: 'Please try again in 5 minutes.',
      field: null,
    })
    expect(signUpTrouble(refusal('too_many_requests', 429)).words).toContain('Please wait a minute')
  })
})

describe('the receipt', () => {
  const copy = {
    programme: 'Brightgaze eye programme',
    addOns: [{ id: 'guide_habits' as const, name: 'Habits', emoji: '⏱️', description: 'Breaks.', label: '' }],
  }
  const bought = (productId: ProductId, amount: number, over: Partial<PurchasedItem> = {}): PurchasedItem => ({
    productId,
    amount,
    purchasedAt: '2026-11-20T00:00:00Z',
    refundable: false,
    undoSeconds: null,
    undoing: false,
    ...over,
  })

  test('A-03 nothing found: the default programme, Priceless', () => {
    expect(receiptOf([], copy)).toEqual([
      { key: 'programme', name: 'Brightgaze eye programme', emoji: '👁️', description: '', price: 'Priceless' },
    ])
  })

  test('A-03 what was bought, in that order, with name, emoji, description and the price that was charged', () => {
    const items = [bought('guide_habits', 1490, { purchasedAt: '2026-11-20T00:01:00Z' }), bought('trial_1', 100)]
    expect(receiptOf(items, copy)).toEqual([
      { key: 'trial_1', name: 'Brightgaze eye programme', emoji: '👁️', description: '3-day trial', price: '$1' },
      { key: 'guide_habits', name: 'Habits', emoji: '⏱️', description: 'Breaks.', price: '$14.90' },
    ])
  })

  test('A-03 the special offer and the monthly price are the programme, each with its period', () => {
    expect(receiptOf([bought('special_offer', 1900), bought('monthly', 3900)], copy)).toMatchObject([
      { name: 'Brightgaze eye programme', description: 'First month', price: '$19' },
      { name: 'Brightgaze eye programme', description: 'Monthly subscription', price: '$39' },
    ])
  })

  test('A-03 an add-on that editors have no words for is called what the catalogue calls it', () => {
    expect(receiptOf([bought('guide_lighting', 1490)], copy)).toEqual([
      {
        key: 'guide_lighting',
        name: product('guide_lighting').name,
        emoji: '👁️',
        description: '',
        price: '$14.90',
      },
    ])
  })

  test('H-05 only an add-on can be taken back, while its time runs or while it is being taken back', () => {
    const open = bought('guide_habits', 1490, { undoSeconds: 600 })
    const undoing = bought('guide_lighting', 1490, { undoing: true })
    const undos = receiptOf(
      [open, undoing, bought('guide_devices', 1490), bought('trial_1', 100, { undoSeconds: 600 })],
      copy,
    ).map(({ undo }) => undo)
    expect(undos).toEqual([open, undoing, undefined, undefined])
  })
})

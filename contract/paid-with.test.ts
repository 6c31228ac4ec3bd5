import { expect, test } from 'vitest'
import { methodWords } from './paid-with.ts'

test('A-05 A-06 a payment method is named by its brand, as its issuer writes it, and by its last digits', () => {
  const card = (brand: string) => methodWords({ type: 'card', brand, last4: '4242' })
  expect(['visa', 'Amex', 'mastercard', 'girocard'].map(card)).toEqual([
    'Visa ending in 4242',
    'American Express ending in 4242',
    'Mastercard ending in 4242',
    'card ending in 4242',
  ])
  expect(methodWords({ type: 'paypal' })).toBe('PayPal')
  expect([null, undefined].map(methodWords)).toEqual(Array(2).fill('your saved payment method'))
})

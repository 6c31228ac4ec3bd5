import { expect, test } from 'vitest'
import { addressFrom } from './address.ts'

test('K-01 an address is made of a headline’s words, as the publish check wants it, whatever they are', () => {
  expect(addressFrom('Three Habits That Rest Your Eyes at Work')).toBe('three-habits-that-rest-your-eyes-at-work')
  expect(addressFrom('  “Don’t stare!” – Renée, 61, /women-over60 ')).toBe('dont-stare-renee-61-women-over60')
  expect(addressFrom(`${'one two '.repeat(7)}threethree four`)).toBe('one-two-'.repeat(7).slice(0, -1))
  expect(addressFrom('x'.repeat(200))).toHaveLength(60)
  expect(addressFrom('— 眼 —')).toBe('')
})

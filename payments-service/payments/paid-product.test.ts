import { expect, test } from 'vitest'
import { paidProduct } from './paid-product.ts'

test('P-04 what was paid is what the intent names, else its row; a product that nobody sells is none, not any', () => {
  const paid = (row: string, named?: string) =>
    paidProduct({ product_id: row }, { metadata: named === undefined ? {} : { product_id: named } })
  expect(paid('trial_1', 'special_offer')).toBe('special_offer')
  expect(paid('trial_1', 'of_another_catalogue')).toBe('trial_1')
  expect(paid('trial_1')).toBe('trial_1')
  expect(paid('unknown', 'constructor')).toBeNull()
})

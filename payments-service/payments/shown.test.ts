import { describe, expect, test } from 'vitest'
import { orderedProduct, orderEvidence } from '../../contract/api/order.ts'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { shownTerms } from '../../contract/terms.ts'
import type { AppError } from '../http/errors.ts'
import { purposeOf, startsSubscription } from './purpose.ts'
import { agreedTerms, knownProduct } from './shown.ts'

const { agreement } = orderEvidence.shape
const now = new Date('2026-11-22T10:00:00Z')
const thrown = (work: () => unknown): AppError => {
  try {
    work()
  } catch (error) {
    return error as AppError
  }
  throw new Error('nothing was thrown')
}

describe('what an order carries', () => {
  test('H-03 an agreement has words, a version and a page, each within its length', () => {
    const whole = { words: 'w'.repeat(10_000), version: 'v'.repeat(100), page: 'p'.repeat(200) }
    expect(agreement.parse(whole)).toEqual(whole)
    expect(agreement.parse({ ...whole, page: '' }).page).toBe('')
    for (const wrong of [{ words: '' }, { version: '' }, { words: 'w'.repeat(10_001) }, { version: 'v'.repeat(101) }]) {
      expect(agreement.safeParse({ ...whole, ...wrong }).success).toBe(false)
    }
    expect(agreement.safeParse({ ...whole, page: 'p'.repeat(201) }).success).toBe(false)
    expect(agreement.safeParse({ words: 'w', version: 'v' }).success).toBe(false)
  })

  test('P-02 a product is one of the catalogue by its own id; anything else is refused by name', () => {
    expect(PRODUCT_IDS.map(knownProduct)).toEqual(PRODUCT_IDS)
    expect(orderedProduct.parse('trial_9')).toBe('trial_9')
    for (const id of ['thank_you_bundle', 'constructor', '']) {
      expect(thrown(() => knownProduct(id))).toMatchObject({ code: 'unknown_product', field: 'productId' })
    }
    expect(() => orderedProduct.parse('x'.repeat(101))).toThrow(/100/)
  })

  test('H-01 H-03 figures as the page shows them are agreed to; others are answered with the true ones', () => {
    const page = shownTerms('trial_5', now, 'Asia/Tokyo')
    expect(agreedTerms('trial_5', page, 500, now)).toEqual(page)
    const yesterday = shownTerms('trial_5', new Date('2026-11-21T10:00:00Z'), 'Asia/Tokyo')
    expect(thrown(() => agreedTerms('trial_5', yesterday, 500, now))).toMatchObject({
      code: 'terms_changed',
      field: 'shown',
      terms: page,
    })
    expect(thrown(() => agreedTerms('trial_5', page, 501, now))).toMatchObject({ terms: { ...page, now: 501 } })
  })
})

describe('what a payment is for', () => {
  test('P-02 one first payment, each add-on by itself, the reading by itself', () => {
    const firsts = ['trial_1', 'trial_5', 'trial_9', 'trial_1767', 'special_offer', 'monthly']
    for (const id of PRODUCT_IDS) {
      const { kind } = product(id)
      const own = kind === 'reading' ? 'reading' : firsts.includes(id) ? 'first' : `upsell:${id}`
      expect(purposeOf(id), id).toBe(own)
    }
  })

  test('P-05 a trial and the special offer start the subscription afterwards; nothing else does', () => {
    const starting = (['trial', 'special_offer', 'monthly', 'bundle', 'guide', 'reading'] as const).filter(
      startsSubscription,
    )
    expect(starting).toEqual(['trial', 'special_offer'])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { product } from '../../contract/catalogue.ts'
import { shownTerms } from '../../contract/terms.ts'
import { termsText } from '../payment/terms-text.ts'
import { amountIn, birthDateText, cardOfAmount, cardsFor, resultOf } from './reading.ts'

describe('the package cards', () => {
  test('X-03 amount → package: up to 10 → 7 days, up to 20 → 14 days, otherwise 1 month; 14 days by default', () => {
    expect([9.95, 10, 10.01, 19.95, 20, 20.01, 29.95, 29.99, 500].map(cardOfAmount)).toEqual([
      0, 0, 1, 1, 1, 2, 2, 2, 2,
    ])
    expect([null, 0, -5, NaN, Infinity].map(cardOfAmount)).toEqual([1, 1, 1, 1, 1])
  })

  test('X-03 three cards at 9.95, 19.95 and 29.95', () => {
    const { cards, chosen } = cardsFor(null, false)
    expect(cards.map(({ id, label }) => [label, product(id).price])).toEqual([
      ['7 Days', 995],
      ['14 Days', 1995],
      ['1 Month', 2995],
    ])
    expect(chosen).toBe(1)
  })

  test('X-03 from the results screen, the chosen card shows the 29.99 that is charged', () => {
    for (const { cards, chosen } of [cardsFor(null, true), cardsFor(29.99, false), cardsFor(29.99, true)]) {
      expect(cards).toHaveLength(3)
      expect(cards[chosen]).toEqual({ id: 'reading_premium', label: '1 Month' })
      expect(product('reading_premium').price).toBe(2999)
    }
    expect(cardsFor(29.95, false).cards[2]?.id).toBe('reading_1_month')
  })

  test('X-03 the amount in the address; none where it is none', () => {
    expect(['?amount=29.99', '?a=1&amount=%2019.95%20'].map(amountIn)).toEqual([29.99, 19.95])
    for (const none of ['', '?amount=', '?amount=%20', '?amount=x', '?amount=Infinity', '?other=9.95']) {
      expect(amountIn(none), none).toBeNull()
    }
    // more than two decimals are no price
    expect(cardsFor(29.985, false).cards[2]?.id).toBe('reading_1_month')
  })

  test('X-03 whatever stands in the address, one of three cards is chosen', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, premium) => {
        const { cards, chosen } = cardsFor(amountIn(`?amount=${text}`), premium)
        expect(cards[chosen]).toBeDefined()
      }),
    )
  })

  test('H-01 X-03 the terms of a reading say that it is paid once', () => {
    expect(termsText('reading_premium', shownTerms('reading_premium', new Date(), 'UTC'))?.words).toBe(
      '$29.99 today, paid once. No subscription. Nothing renews and nothing more is charged.',
    )
  })
})

describe('the result', () => {
  const content = {
    titles: [{ insight: 'soul', title: 'Your Soul Reading', text: 'a' }],
    defaultTitle: 'Your Spiritual Journey',
    defaultText: 'b',
  }
  test('X-02 is titled by the personalInsight, any other value by the default', () => {
    expect(resultOf(content, 'soul').title).toBe('Your Soul Reading')
    expect(resultOf(content, ' Soul ').title).toBe('Your Soul Reading')
    for (const other of [null, '', 'tarot', '__proto__'])
      expect(resultOf(content, other).title).toBe('Your Spiritual Journey')
  })
  test('X-02 names a birth date where there is one', () => {
    expect(birthDateText('1964-02-29')).toBe('February 29, 1964')
    expect(birthDateText(null)).toBeNull()
    expect(birthDateText('soon')).toBeNull()
  })
})

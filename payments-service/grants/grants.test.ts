import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstPayment as payment, guide, renewal } from '../../tests/support/payment-states.ts'
import { grantsOf, isTaken, programmeGivenBack, sessionMoneyOf } from './grants.ts'

const live = { status: 'trialing', sourceIntentId: 'pi_1', reopened: false }

describe('what a session may open', () => {
  test('P-12 the programme is open while a payment stands and the subscription lives', () => {
    const first = [{ productId: 'trial_1', via: 'initial_purchase', sourceIntentId: 'pi_1' }]
    for (const status of ['creating', 'trialing', 'active', 'past_due']) {
      expect(grantsOf([payment()], { ...live, status })).toEqual(first)
    }
    for (const status of ['canceled', 'unpaid', 'incomplete_expired', 'paused']) {
      expect(grantsOf([payment()], { ...live, status })).toEqual([])
    }
    expect(grantsOf([payment({ refunded: 100 })], live)).toEqual([])
    expect(grantsOf([payment({ refunded: 99 })], live)).toEqual(first)
    expect(grantsOf([payment({ refunded: 40, otherwise: 60 })], live)).toEqual([])
    expect(grantsOf([payment({ disputes: ['lost'] })], live)).toEqual([])
    expect(grantsOf([payment({ disputes: ['needs_response'] })], live)).toEqual(first)
  })

  test('P-12 a renewal keeps the programme open when the first payment was refunded', () => {
    expect(grantsOf([payment({ refunded: 100 }), renewal()], live)).toHaveLength(1)
    expect(grantsOf([payment({ refunded: 100 }), renewal({ refunded: 3900 })], live)).toEqual([])
  })

  test('P-12 add-ons are for life: they end with their own refund or lost dispute only', () => {
    const ended = { status: 'canceled', sourceIntentId: 'pi_1', reopened: false }
    expect(grantsOf([payment({ refunded: 100 }), guide()], ended)).toEqual([
      { productId: 'guide_habits', via: 'upsell', sourceIntentId: 'pi_3' },
    ])
    expect(grantsOf([payment(), guide({ refunded: 1490 })], ended)).toEqual([])
    expect(grantsOf([payment(), guide({ disputes: ['lost'] })], ended)).toEqual([])
  })

  test('P-06 P-14 a value-0 start opens by its own name; a duplicate opens nothing', () => {
    expect(grantsOf([payment({ amount: 0 })], live)[0]?.via).toBe('paypal_trial_subscription')
    expect(grantsOf([payment({ duplicate: true })], live)).toEqual([])
  })

  test('P-12 whatever the payments: never a grant without money that stands, never two of a product', () => {
    const any = fc.record({
      intentId: fc.uuid(),
      purpose: fc.constantFrom('first', 'reading', 'upsell:bundle', 'renewal:in_1'),
      productId: fc.constantFrom('trial_1', 'bundle', 'reading_premium', 'monthly'),
      amount: fc.constantFrom(100, 2499),
      duplicate: fc.boolean(),
      refunded: fc.constantFrom(0, 50, 100, 2499),
      refunding: fc.constantFrom(0, 50),
      otherwise: fc.constantFrom(0, 50, 2499),
      disputes: fc.subarray(['won', 'needs_response', 'lost', 'appeal_under_review'] as const),
      wasLost: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ purpose }) => purpose, maxLength: 4 }), (payments) => {
        const good = payments.filter(
          (one) => !one.duplicate && !isTaken(one) && one.refunded + one.otherwise < one.amount,
        )
        if (good.length === 0) expect(grantsOf(payments, live)).toEqual([])
        expect(grantsOf(payments, live).length).toBeLessThanOrEqual(payments.length)
      }),
    )
  })
})

test('P-12 the session says what became of its money', () => {
  expect(sessionMoneyOf([])).toBe('unpaid')
  expect(sessionMoneyOf([payment({ duplicate: true })])).toBe('unpaid')
  expect(sessionMoneyOf([payment()])).toBe('paid')
  expect(sessionMoneyOf([payment({ refunded: 100 })])).toBe('refunded')
  expect(sessionMoneyOf([payment({ disputes: ['needs_response'] })])).toBe('disputed')
})

test('P-12 only a first payment given back whole ends the subscription: no part, add-on or duplicate', () => {
  const gone = payment({ refunded: 100 })
  for (const payments of [
    [gone],
    [payment({ disputes: ['lost'] })],
    [gone, renewal({ refunded: 3900 })],
    [gone, guide()],
    // the charge of the current period was refunded in full, or any of the charges was lost
    [payment(), renewal({ refunded: 3900 })],
    [payment(), renewal({ refunding: 3900 })],
    [payment({ disputes: ['lost'] }), renewal()],
    [payment(), renewal({ disputes: ['appeal_under_review'] })],
  ])
    expect(programmeGivenBack(payments)).toBe(true)
  for (const payments of [
    [],
    [payment()],
    [payment({ refunded: 99 })],
    [payment({ disputes: ['needs_response'] })],
    [payment({ amount: 0 })],
    [gone, renewal()],
    [payment(), renewal({ disputes: ['won'], wasLost: true })],
    [payment({ disputes: ['warning_needs_response'] }), renewal({ disputes: ['prevented'] })],
    [payment(), guide({ refunded: 1490 })],
    [payment(), { ...gone, intentId: 'pi_4', duplicate: true }],
  ])
    expect(programmeGivenBack(payments)).toBe(false)
})

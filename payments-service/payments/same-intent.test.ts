import { describe, expect, test } from 'vitest'
import { shownTerms } from '../../contract/terms.ts'
import type { Intent } from '../stripe/objects.ts'
import type { IntentRow, Wanted } from './intents.queries.ts'
import { differenceOf, leftByOtherCard, matches } from './same-intent.ts'

const terms = shownTerms('trial_5', new Date('2026-11-22T10:00:00Z'), 'UTC')
const wanted = (change: Partial<Wanted> = {}): Wanted => ({
  productId: 'trial_5',
  priceId: 'price_1',
  amount: 500,
  method: 'card',
  customerId: 'cus_1',
  kind: 'payment',
  terms,
  ...change,
})
const row = (change: Partial<IntentRow> = {}) =>
  ({
    kind: 'payment',
    session_id: 'session-1',
    purpose: 'first',
    product_id: 'trial_5',
    amount_cents: 500,
    currency: 'usd',
    payment_method: 'card',
    stripe_customer_id: 'cus_1',
    terms: JSON.parse(JSON.stringify(terms)),
    ...change,
  }) as IntentRow
const intent = (change: Partial<Intent> = {}) =>
  ({
    kind: 'payment',
    status: 'requires_payment_method',
    amount: 500,
    currency: 'usd',
    customerId: 'cus_1',
    customerDeleted: false,
    paymentMethodId: null,
    methodTypes: ['card'],
    metadata: { session_id: 'session-1', purpose: 'first', product_id: 'trial_5' },
    ...change,
  }) as Intent

describe('P-02 whether an open intent is for what an order wants', () => {
  test('P-02 H-03 it is, while product, method, customer, amount, kind and figures are the same', () => {
    expect(matches(row(), wanted())).toBe(true)
    const later = shownTerms('trial_5', new Date('2026-11-23T10:00:00Z'), 'UTC')
    for (const other of [
      { productId: 'trial_9' },
      { method: 'paypal' },
      { customerId: 'cus_2' },
      { amount: 501 },
      { kind: 'setup' },
      { terms: later },
    ] as Partial<Wanted>[]) {
      expect(matches(row(), wanted(other)), JSON.stringify(other)).toBe(false)
    }
    expect(matches(row({ terms: null }), wanted())).toBe(false)
  })
})

describe('P-02 P-04 whether the intent at Stripe is what its row says', () => {
  test('P-02 it is', () => expect(differenceOf(intent(), row())).toBeNull())

  test.each([
    ['kind', { kind: 'setup' }],
    ['amount', { amount: 1 }],
    ['currency', { currency: 'eur' }],
    ['customer', { customerId: 'cus_2' }],
    ['customer', { customerId: null }],
    ['customer', { customerDeleted: true }],
    ['method', { methodTypes: [] }],
    ['method', { methodTypes: ['paypal'] }],
    ['method', { methodTypes: ['card', 'paypal'] }],
    ['session', { metadata: { session_id: 'session-2', purpose: 'first', product_id: 'trial_5' } }],
    ['purpose', { metadata: { session_id: 'session-1', purpose: 'reading', product_id: 'trial_5' } }],
    ['product', { metadata: { session_id: 'session-1', purpose: 'first', product_id: 'trial_9' } }],
    ['session', { metadata: {} }],
  ] as [string, Partial<Intent>][])('P-02 P-04 another %s is a difference: %j', (name, change) => {
    expect(differenceOf(intent(change), row())).toBe(name)
  })

  test('P-05 the intent of the monthly product is its invoice’s: no method and no metadata of ours', () => {
    const invoices = intent({ methodTypes: ['card', 'link'], metadata: {} })
    expect(differenceOf(invoices, row({ product_id: 'monthly' }))).toBeNull()
    expect(differenceOf(intent({ amount: 1 }), row({ product_id: 'monthly' }))).toBe('amount')
  })
})

test('P-02 a card left at its bank’s question is not gone on with, unless it is the saved one to be charged', () => {
  const left = intent({ status: 'requires_action', paymentMethodId: 'pm_left' })
  expect(leftByOtherCard(left, wanted())).toBe(true)
  expect(leftByOtherCard(left, wanted({ savedMethodId: 'pm_left' }))).toBe(false)
  expect(leftByOtherCard(left, wanted({ savedMethodId: 'pm_other' }))).toBe(true)
  expect(leftByOtherCard(intent({ status: 'requires_action' }), wanted())).toBe(true)
  expect(leftByOtherCard(left, wanted({ method: 'paypal' }))).toBe(false)
  expect(leftByOtherCard(intent({ paymentMethodId: 'pm_left' }), wanted())).toBe(false)
})

import { describe, expect, test } from 'vitest'
import {
  ADD_ON_IDS,
  DEFAULT_SPECIAL_OFFER_TRIAL,
  DEFAULT_TRIAL,
  isAddOnId,
  isReadingId,
  isTrialId,
  PRODUCT_IDS,
  product,
  READING_FALLBACK_PRICES,
  READING_IDS,
  requireProductId,
  resolveProductId,
  savingPercent,
  TRIAL_IDS,
  trialByPrice,
  type ProductId,
} from './catalogue.ts'

describe('catalogue', () => {
  test('P-13 lookup keys are unique and every price is a positive integer of cents', () => {
    const all = PRODUCT_IDS.map(product)
    expect(new Set(all.map((entry) => entry.lookupKey)).size).toBe(all.length)
    for (const entry of all) {
      expect(Number.isInteger(entry.price) && entry.price > 0).toBe(true)
      if (entry.listPrice !== undefined) expect(entry.listPrice).toBeGreaterThan(entry.price)
    }
  })

  test('S-33 the four trial tiers stand in the order and at the prices of the specification', () => {
    expect(TRIAL_IDS.map((id) => product(id).price)).toEqual([100, 500, 900, 1767])
  })

  test('P-13 the six add-ons carry the specified prices', () => {
    expect(ADD_ON_IDS.map((id) => product(id).price)).toEqual([2499, 1490, 1490, 1490, 1490, 1490])
    expect(ADD_ON_IDS.map((id) => product(id).listPrice)).toEqual([14900, 2980, 2980, 2980, 2980, 2980])
  })

  test('P-13 the ids of the thank-you catalogue mean the same items', () => {
    const aliased = PRODUCT_IDS.flatMap((id) =>
      (product(id).aliases ?? []).map((alias): [string, ProductId] => [alias, id]),
    )
    expect(aliased).toHaveLength(6)
    for (const [alias, id] of aliased) expect(resolveProductId(alias)).toBe(id)
    expect(resolveProductId('constructor')).toBeUndefined()
    expect(() => requireProductId('constructor')).toThrow(RangeError)
    expect(requireProductId('monthly')).toBe('monthly')
  })

  test('P-13 every product is of one kind, under its own id and name', () => {
    const names = PRODUCT_IDS.map((id) => product(id).name)
    expect(new Set(names).size).toBe(PRODUCT_IDS.length)
    for (const id of PRODUCT_IDS) {
      const { kind, lookupKey, listPrice, aliases, ...rest } = product(id)
      expect(rest).toEqual({ id, name: expect.stringMatching(/\w/), price: expect.any(Number) })
      expect(lookupKey).toBe(`${id}_usd`)
      expect('listPrice' in product(id)).toBe(listPrice !== undefined)
      expect('aliases' in product(id)).toBe(aliases !== undefined)
      expect(isTrialId(id)).toBe(kind === 'trial')
      expect(isAddOnId(id)).toBe(kind === 'bundle' || kind === 'guide')
      expect(isReadingId(id)).toBe(kind === 'reading')
      expect(resolveProductId(id)).toBe(id)
    }
    for (const is of [isTrialId, isAddOnId, isReadingId]) expect(is('constructor')).toBe(false)
  })

  test('X-03 P-09 the four readings, and the two that have a price to fall back to', () => {
    expect(READING_IDS.map((id) => product(id).price)).toEqual([995, 1995, 2995, 2999])
    expect(READING_FALLBACK_PRICES).toEqual({ reading_14_days: 1995, reading_premium: 2999 })
  })

  test('S-33 C-02 O-01 $1 is the default tier, $5 on the pages of the special offer', () => {
    expect([DEFAULT_TRIAL, DEFAULT_SPECIAL_OFFER_TRIAL]).toEqual(['trial_1', 'trial_5'])
  })

  test('C-04 computed savings follow from the catalogue and never round up', () => {
    expect(savingPercent('bundle')).toBe(83)
    expect(savingPercent('guide_devices')).toBe(50)
    expect(savingPercent('special_offer')).toBe(65)
    expect(savingPercent('trial_1')).toBeUndefined()
  })

  test('S-33 only the four tiers are prices of a trial', () => {
    expect(trialByPrice(1767)).toBe('trial_1767')
    expect(trialByPrice(1900)).toBeUndefined()
    expect(trialByPrice(101)).toBeUndefined()
  })
})

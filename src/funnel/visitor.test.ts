import { describe, expect, test } from 'vitest'
import { catalogueValues, fill } from '../../contract/placeholders.ts'
import { isPreticked, tierOf, trialOfStoredPrice, visitorValues } from './visitor.ts'

describe('the tier of the checkout', () => {
  test('C-02 the stored price decides, then the session, then the default of $1', () => {
    expect(tierOf({ selectedPrice: 17.67 }, { trialId: 'trial_1', selectedPrice: 1 })).toBe('trial_1767')
    expect(tierOf({}, { trialId: 'trial_9', selectedPrice: 9 })).toBe('trial_9')
    expect(tierOf({}, { trialId: 'trial_9', selectedPrice: null })).toBe('trial_9')
    expect(tierOf({}, null)).toBe('trial_1')
    expect(tierOf({}, { trialId: 'trial_1', selectedPrice: null })).toBe('trial_1')
  })

  test('O-01 O-02 the special-offer pages assume 5 where no tier is known', () => {
    expect(tierOf({}, { trialId: 'trial_1', selectedPrice: null }, 'trial_5')).toBe('trial_5')
    expect(tierOf({}, { trialId: 'trial_1', selectedPrice: 1 }, 'trial_5')).toBe('trial_1')
  })

  test('C-02 a price that is no tier is ignored', () => {
    for (const value of [2, '5', Number.NaN, 5.001, null, 19]) expect(trialOfStoredPrice(value)).toBeUndefined()
  })

  test('C-03 K-02 copy shows no tier amount before the tier is known', () => {
    expect(fill('{trialPrice}, save {trialSaving}', visitorValues(null))).toBe('…, save …')
    expect(fill('{trialPrice}', visitorValues('trial_9'))).toBe(catalogueValues('trial_9').trialPrice)
  })

  test('S-34 K-02 copy names what the visitor has answered, and nothing where nothing is known', () => {
    const words = '{ageGroup}, {ageBucket}, {email}.'
    const answers = { ageGroup: '46-59', visualAge: 47, email: 'ada@b.co' } as const
    expect(fill(words, visitorValues('trial_1', answers))).toBe("46-59, 40's, ada@b.co.")
    expect(fill(words, visitorValues('trial_1'))).toBe(", 20's, .")
  })
})

describe('by region', () => {
  test('C-11 the marketing box is pre-ticked only for visitors known to be in a listed country', () => {
    expect(isPreticked(['US'], 'US')).toBe(true)
    expect(isPreticked(['US'], 'us')).toBe(true)
    expect(isPreticked(['US'], 'DE')).toBe(false)
    expect(isPreticked(['US'], null)).toBe(false)
  })
})

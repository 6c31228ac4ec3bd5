import { describe, expect, test, vi } from 'vitest'
import { catalogueValues, fill } from '../../contract/placeholders.ts'
import { isPreticked, isStrict, payButtonLabel, tierOf, trialOfStoredPrice, visitorValues } from './checkout.ts'
import { asCountdownStart, clockText, secondsLeft, startOf } from './countdown.ts'
import { exitIntentTarget } from './exit-intent.ts'
import { shownTerms } from '../../contract/terms.ts'
import { longDate, termsText } from './terms-text.ts'

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

describe('the terms beside a pay button', () => {
  const at = new Date('2026-11-20T12:00:00Z')

  test('C-03 H-01 a trial: amount now, amount and date of the first full charge, period, how to cancel', () => {
    expect(termsText('trial_1', shownTerms('trial_1', at, 'UTC'))?.words).toBe(
      '$1 today for your 3-day trial. $39 on November 23, 2026, then $39 every 30 days until you cancel. ' +
        'Cancel online at any time, in your account or from any of our emails. Cancel before November 23, 2026 ' +
        'and you pay nothing more.',
    )
  })

  test('P-06 H-01 a trial that PayPal only sets up costs $0 today, and says what follows all the same', () => {
    const text = termsText('trial_9', shownTerms('trial_9', at, 'UTC', true), 'paypal-setup')
    expect(text?.today).toBe('$0 today with PayPal for your 3-day trial.')
    expect(text?.words).toContain('$39 on November 23, 2026, then $39 every 30 days until you cancel.')
  })

  test('O-03 H-01 the special offer: one calendar month, then $39 every 30 days', () => {
    const text = termsText('special_offer', shownTerms('special_offer', new Date('2027-01-31T12:00:00Z'), 'UTC'))
    expect(text?.today).toBe('$19 today for your first month.')
    expect(text?.firstDate).toBe('February 28, 2027')
  })

  test('H-01 the monthly price: its period in days', () => {
    expect(termsText('monthly', shownTerms('monthly', at, 'UTC'))?.today).toBe('$39 today for 30 days.')
  })

  test('X-03 H-01 a reading is paid once, and nothing of it renews or has to be cancelled', () => {
    expect(termsText('reading_premium', shownTerms('reading_premium', at, 'UTC'))).toEqual({
      now: '$29.99',
      today: '$29.99 today, paid once.',
      firstDate: '',
      first: 'No subscription.',
      then: 'Nothing renews and nothing more is charged.',
      cancel: '',
      words: '$29.99 today, paid once. No subscription. Nothing renews and nothing more is charged.',
    })
  })

  test('A-03 a moment is the day that it is where it is read', () => {
    const night = new Date('2026-11-23T02:00:00Z')
    vi.stubEnv('TZ', 'America/New_York')
    expect(longDate(night)).toBe('November 22, 2026')
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(longDate(night)).toBe('November 23, 2026')
    vi.unstubAllEnvs()
  })

  test('H-01 add-ons start no subscription and have no such terms', () => {
    expect(termsText('bundle', shownTerms('bundle', at, 'UTC'))).toBeUndefined()
  })
})

describe('the countdown', () => {
  test('C-04 starts at 949 seconds, shown as 00:mm:ss, and survives a reload', () => {
    const start = startOf(undefined, 'a', 1_000)
    expect(clockText(secondsLeft(start, 1_000))).toBe('00:15:49')
    const reloaded = startOf(asCountdownStart(JSON.parse(JSON.stringify(start))), 'a', 61_000)
    expect(clockText(secondsLeft(reloaded, 61_000))).toBe('00:14:49')
    expect(secondsLeft(reloaded, 10_000_000)).toBe(0)
  })

  test('C-04 another session, a corrupted value or a clock set back start anew', () => {
    expect(startOf({ sessionId: 'a', startedAt: 0 }, 'b', 5).startedAt).toBe(5)
    expect(startOf({ sessionId: 'a', startedAt: 99 }, 'a', 5).startedAt).toBe(5)
    expect(asCountdownStart({ sessionId: 'a', startedAt: 'x' })).toBeUndefined()
  })
})

describe('by region', () => {
  test('C-11 the marketing box is pre-ticked only for visitors known to be in a listed country', () => {
    expect(isPreticked(['US'], 'US')).toBe(true)
    expect(isPreticked(['US'], 'us')).toBe(true)
    expect(isPreticked(['US'], 'DE')).toBe(false)
    expect(isPreticked(['US'], null)).toBe(false)
  })

  test('H-02 C-13 the pay button names duty and amount where the law asks', () => {
    expect(isStrict(['DE', 'AT'], 'at')).toBe(true)
    expect(isStrict(['DE', 'AT'], 'US')).toBe(false)
    expect(isStrict(['DE', 'AT'], null)).toBe(false)
    expect(payButtonLabel(1767, true)).toBe('Order with obligation to pay $17.67')
    expect(payButtonLabel(100, false)).toBe('Order Now')
  })
})

test('C-15 closing the modal is an exit intent once a visit, and none after a payment was started', () => {
  const kept = new Map<string, string>()
  const store = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
  }
  expect(exitIntentTarget('id', true, store)).toBeNull()
  expect(exitIntentTarget('id', false, store)).toBe('/special-offer-intro/id')
  expect(exitIntentTarget('id', false, store)).toBeNull()
})

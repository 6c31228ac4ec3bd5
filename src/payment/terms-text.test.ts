import { describe, expect, test, vi } from 'vitest'
import { shownTerms } from '../../contract/terms.ts'
import { isStrict } from '../funnel/visitor.ts'
import { longDate, payButtonLabel, termsText } from './terms-text.ts'

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
  test('H-02 C-13 the pay button names duty and amount where the law asks', () => {
    expect(isStrict(['DE', 'AT'], 'at')).toBe(true)
    expect(isStrict(['DE', 'AT'], 'US')).toBe(false)
    expect(isStrict(['DE', 'AT'], null)).toBe(false)
    expect(payButtonLabel(1767, true)).toBe('Order with obligation to pay $17.67')
    expect(payButtonLabel(100, false)).toBe('Order Now')
  })
})

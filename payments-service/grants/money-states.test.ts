/** P-12: why access ended, whether it was won back, and the payment status of a session. */
import { describe, expect, test } from 'vitest'
import { disputeEffect, type DisputeStatus } from '../stripe/dispute-status.ts'
import { firstPayment as first, guide, reading, renewal } from '../../tests/support/payment-states.ts'
import { endReasonOf, grantsOf, isHeld, isTaken, programmeWonBack, sessionMoneyOf } from './grants.ts'

const lost = { disputes: ['lost'] as const }

describe('why a product is not open any more', () => {
  test('P-12 the programme’s payments count together: a lost dispute, a refund of the latest, else its end', () => {
    expect(endReasonOf('trial_1', [first(), renewal()])).toBe('subscription_ended')
    expect(endReasonOf('trial_1', [first(), renewal({ refunded: 3900 })])).toBe('refunded')
    expect(endReasonOf('trial_1', [first({ refunded: 100 }), renewal()])).toBe('subscription_ended')
    expect(endReasonOf('trial_1', [first(), renewal(lost)])).toBe('dispute_lost')
    expect(endReasonOf('trial_1', [first(lost), renewal({ refunded: 3900 })])).toBe('dispute_lost')
    // one programme payment among a product's payments is enough for the programme's rule
    expect(endReasonOf('trial_1', [first(), first({ purpose: 'reading' }), renewal({ refunded: 3900 })])).toBe(
      'refunded',
    )
  })

  test('P-12 an add-on ends by its own payments alone, and never by a duplicate', () => {
    expect(endReasonOf('guide_habits', [first(lost), guide({ refunded: 1490 })])).toBe('refunded')
    expect(endReasonOf('guide_habits', [first({ refunded: 100 }), guide(lost)])).toBe('dispute_lost')
    expect(endReasonOf('guide_habits', [guide(), guide({ duplicate: true, refunded: 1490 })])).toBe(
      'subscription_ended',
    )
    expect(endReasonOf('guide_habits', [guide({ duplicate: true, ...lost })])).toBe('subscription_ended')
    expect(endReasonOf('guide_habits', [first(lost)])).toBe('subscription_ended')
  })
})

test('P-12 the programme is won back when a dispute of it was lost and nothing of it is gone now', () => {
  const won = { disputes: ['won'] as const, wasLost: true }
  expect(programmeWonBack([first(), renewal(won)])).toBe(true)
  expect(programmeWonBack([first(won), renewal()])).toBe(true)
  expect(programmeWonBack([first(), renewal()])).toBe(false)
  expect(programmeWonBack([first(won), renewal({ refunded: 3900 })])).toBe(false)
  expect(programmeWonBack([first(), guide(won)])).toBe(false)
  expect(programmeWonBack([])).toBe(false)
})

test('P-12 X-03 a reading is open for life, without a subscription; nothing else opens by its product alone', () => {
  const open = { productId: 'reading_14_days', via: 'reading', sourceIntentId: 'pi_4' }
  expect(grantsOf([reading()], null)).toEqual([open])
  expect(grantsOf([reading({ refunded: 1995 })], null)).toEqual([])
  expect(grantsOf([guide({ purpose: 'something_else' })], null)).toEqual([])
  expect(grantsOf([guide({ productId: 'trial_1' })], null)).toEqual([])
})

test('P-12 the programme is open before its subscription exists, and for the time that a dispute had taken', () => {
  const open = [{ productId: 'trial_1', via: 'initial_purchase', sourceIntentId: 'pi_1' }]
  expect(grantsOf([first()], null)).toEqual(open)
  expect(grantsOf([first()], { status: 'canceled', sourceIntentId: 'pi_1', reopened: true })).toEqual(open)
})

test('P-12 a session’s money is disputed while any of it is, paid while any stands, and add-ons do not count', () => {
  expect(sessionMoneyOf([first(), renewal({ disputes: ['under_review'] })])).toBe('disputed')
  expect(sessionMoneyOf([first(lost), renewal()])).toBe('disputed')
  expect(sessionMoneyOf([guide()])).toBe('unpaid')
  expect(sessionMoneyOf([first(), guide(lost)])).toBe('paid')
  expect(sessionMoneyOf([first({ refunded: 100 }), renewal()])).toBe('paid')
  // the latest charge of the programme was refunded, so the first one counts no longer
  expect(sessionMoneyOf([first(), renewal({ refunded: 3900 })])).toBe('refunded')
  expect(sessionMoneyOf([first(), renewal({ refunded: 3900 }), reading()])).toBe('paid')
  expect(sessionMoneyOf([reading({ refunded: 1995 })])).toBe('refunded')
})

describe('what a dispute does to the money', () => {
  const EFFECTS: Readonly<Record<string, readonly string[]>> = {
    none: ['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented', 'won'],
    held: ['needs_response', 'under_review', 'a status of a later API version'],
    taken: ['lost', 'appeal_needs_response', 'appeal_under_review'],
  }

  test.each(Object.entries(EFFECTS))('P-12 “%s”: %j', (effect, statuses) => {
    for (const status of statuses as DisputeStatus[]) {
      expect(disputeEffect(status), status).toBe(effect)
      expect(isHeld(first({ disputes: [status] })), status).toBe(effect === 'held')
      expect(isTaken(first({ disputes: [status] })), status).toBe(effect === 'taken')
    }
  })
})

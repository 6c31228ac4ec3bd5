import { describe, expect, test } from 'vitest'
import { BROKEN, noAnswer, proxyPage, refusal } from '../session/outcomes.fixture.ts'
import { afterFailedCard, NOT_CHARGED } from './card-trouble.ts'
import { afterFailure } from './trouble.ts'

const UNCLEAR = [noAnswer(), noAnswer('timeout'), proxyPage(), BROKEN, refusal('stripe_unavailable', 503)]
const REFUSED = [refusal('subscription_over', 409), refusal('too_many_requests', 429), refusal('link_expired', 410)]
const FIND = 'If this payment went through, we will find it. Trying again will not charge you twice.'

describe('an action that failed', () => {
  test('A-05 H-04 without an answer to be trusted it may have been done, and no page says otherwise', () => {
    for (const failure of UNCLEAR) expect(afterFailure(failure)).toMatch(/^It may have been done all the same/)
  })

  test('A-05 H-04 a refusal has changed nothing', () => {
    for (const failure of REFUSED) expect(afterFailure(failure)).toBe('Nothing was changed.')
  })

  test('A-05 H-01 a card that is charged what is owed: "not charged" only where that is certain', () => {
    for (const failure of UNCLEAR) expect(afterFailedCard(failure, 3900)).toBe(FIND)
    for (const failure of REFUSED) expect(afterFailedCard(failure, 3900)).toBe(NOT_CHARGED)
    for (const failure of [...UNCLEAR, ...REFUSED]) expect(afterFailedCard(failure, null)).toBe('You were not charged.')
  })
})

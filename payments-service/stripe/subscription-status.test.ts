import { describe, expect, test } from 'vitest'
import { isLive, isOver, meaningOf, OVER, type RowStatus, STATUS, statusesWith } from './subscription-status.ts'

/** The facts of each status, from Stripe's documentation and our rules on access (P-12). */
const TABLE: Readonly<Record<RowStatus, string>> = {
  creating: 'starting none live access renews',
  incomplete: 'not_started none live',
  incomplete_expired: 'ended canceled over',
  trialing: 'trial trialing live access renews',
  active: 'active active live access renews',
  past_due: 'late past_due live access owed',
  unpaid: 'unpaid past_due live owed',
  canceled: 'ended canceled over',
  paused: 'paused none live',
}
const FACTS = ['over', 'live', 'access', 'renews', 'owed'] as const

describe('what a status of a subscription means', () => {
  test('P-12 each status has its words, and exactly the facts that hold of it', () => {
    const found = Object.entries(STATUS).map(([status, meaning]) => {
      const facts = FACTS.filter((fact) => meaning[fact])
      return [status, [meaning.state, meaning.account, ...facts].join(' ')]
    })
    expect(Object.fromEntries(found)).toEqual(TABLE)
  })

  test('P-12 a subscription is over or live, never both, and only those over are left out of the index', () => {
    for (const status of Object.keys(TABLE)) expect(isOver(status), status).toBe(!isLive(status))
    expect(OVER).toEqual(['incomplete_expired', 'canceled'])
    expect(statusesWith('owed')).toEqual(['past_due', 'unpaid'])
    expect(statusesWith('access')).toEqual(['creating', 'trialing', 'active', 'past_due'])
  })

  test('P-12 a status that is not in the table is no guess', () => {
    for (const status of ['something_new', 'constructor', '']) {
      expect(() => meaningOf(status)).toThrow(`no meaning is known for the subscription status "${status}"`)
    }
  })
})

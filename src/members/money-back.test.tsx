import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { MoneyBackRequestView } from '../../contract/members.ts'
import { MoneyBack, Outcome } from './MoneyBack.tsx'

let state = 'active'
const moneyBack = { until: null, listened: 7, needed: 7, eligible: true, amount: 4000, request: null }
vi.mock('./client.ts', async (original) => ({
  ...(await original<object>()),
  useRemote: () => [{ state: 'ready', data: { subscriptions: [{ id: 'one', state, moneyBack }] } }, {}],
}))
vi.mock('./Nav.tsx', () => ({ Nav: () => null }))
vi.mock('./AskFirst.tsx', () => ({ AskFirst: ({ words }: { words: string }) => words }))

test('A-07 money asked back after the end: nothing is said to close or to stay open', () => {
  const asked = () => renderToStaticMarkup(<MoneyBack settings={{ contactEmail: 'help@example.com' } as never} />)
  state = 'active'
  expect(asked()).toContain('your subscription ends and the programme closes. Until then everything stays open.')
  state = 'ended'
  expect(asked()).toContain('When it is granted, $40 goes back the way you paid.')
  expect(asked()).not.toMatch(/subscription ends|programme closes|stays open/)
})

const answerBy = '2026-12-02T12:00:00.000Z'
const sums = { refunded: 0, pending: 0, withBank: 0, open: 0 }
const request = { kind: 'withdrawal', requestedAt: answerBy, answerBy, amount: 4000, reason: null, ...sums } as const
const words = (about: Partial<MoneyBackRequestView>) =>
  renderToStaticMarkup(<Outcome request={{ status: 'open', ...request, ...about }} />)

test('A-07 H-02 a request promises its sum until it is given back, and never one that went back before', () => {
  expect(words({})).toContain('We give back $40 and write to you by December 2, 2026.')
  expect(words({ status: 'refunding' })).toContain('$40 goes back the way you paid.')
  for (const gone of [
    words({ amount: 0 }),
    words({ status: 'refunding', amount: 0 }),
    // an operator of a release before has granted it
    words({ status: 'refunded' }),
    // the bank has given back all that it held
    words({ status: 'incomplete' }),
  ]) {
    expect(gone).toContain('There is nothing left to give back')
    expect(gone).not.toContain('$')
  }
  expect(words({ status: 'refunded', refunded: 4000 })).not.toContain('nothing left')
})

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { LinkPage } from './LinkPage.tsx'
import { Subscription } from './Subscription.tsx'

const moment = '2026-11-30T12:00:00.000Z'
const sums = { refunded: 0, pending: 0, withBank: 0, open: 0 }
const request = { kind: 'withdrawal', status: 'open', answerBy: moment, amount: 100, ...sums }
/** As a service answers that does not know `withdrawal` and `withdrawAmount` yet. */
let subscription: object = {}
vi.mock('./client.ts', async (original) => ({
  ...(await original<object>()),
  useRemote: (name: string) => [
    { state: 'ready', data: name === 'link' ? { state: 'done', subscription } : { subscriptions: [subscription] } },
    {},
  ],
}))
vi.mock('./SubscriptionCard.tsx', () => ({ SubscriptionCard: () => null }))
vi.mock('./Nav.tsx', () => ({ Nav: () => null }))
vi.mock('./usePath.ts', () => ({ usePath: () => '/withdraw' }))
vi.mock('../session/link-token.ts', () => ({ linkToken: () => 'token' }))

const settings = { contactEmail: 'help@example.com' } as Parameters<typeof Subscription>[0]['settings']
const bothPages = () =>
  [Subscription, LinkPage].map((Page) => renderToStaticMarkup(<Page settings={settings} />).replace(/<[^>]*>/g, ''))

test('H-02 beside a service of before the withdrawal that has arrived is shown, and no sum that is not known', () => {
  subscription = { id: 'one', withdrawUntil: null, moneyBack: { request } }
  for (const words of bothPages()) {
    expect(words).toContain('Your withdrawal has arrived')
    expect(words).toContain('We give back $1 and write to you by')
  }
  subscription = { id: 'one', withdrawUntil: moment, moneyBack: { request: { ...request, kind: 'guarantee' } } }
  const [own, link] = bothPages()
  expect(own).toContain('without a reason. You get back your money.')
  expect(own).not.toMatch(/NaN|undefined|has arrived/)
  expect(link).toContain('There is nothing to withdraw from')
})

test('H-02 P-06 a withdrawal from a trial that began for nothing promises no money', () => {
  subscription = { id: 'one', withdrawUntil: moment, withdrawAmount: 0, moneyBack: { request: null } }
  expect(bothPages()[0]).toContain('without a reason. You get back $0.')
})

test('H-02 a withdrawal that was declined has not "arrived" where its link is opened again', () => {
  subscription = { id: 'one', withdrawUntil: null, moneyBack: { request: { ...request, status: 'declined' } } }
  for (const words of bothPages()) expect(words).not.toContain('has arrived')
})

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Home } from './Home.tsx'

const account = { email: 'ann@example.com', name: null, subscriptions: [], hasPassword: true, ordersToJoin: 0 }
const days = ['listened', 'listened', 'open'].map((state, n) => ({ day: n + 1, state }))
const programme = { today: null, weeks: [{ week: 1, days }], listened: 2, guides: [] }
vi.mock('./client.ts', async (original) => ({
  ...(await original<object>()),
  useRemote: (name: string) => [{ state: 'ready', data: name === 'account' ? account : programme }, {}],
}))
vi.mock('./Nav.tsx', () => ({ Nav: () => null }))
vi.mock('./Weeks.tsx', () => ({ Weeks: () => null }))

test('A-05 where a recording was taken out, only the sessions that were heard are called heard', () => {
  const shown = renderToStaticMarkup(<Home settings={{ contactEmail: 'help@example.com' } as never} />)
  expect(shown).toContain('You have listened to all 2 sessions')
})

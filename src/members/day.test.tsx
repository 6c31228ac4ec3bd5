import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { SessionContent } from '../../contract/members.ts'
import Day from './Day.tsx'

const shown = vi.hoisted(() => ({ listened: false }))
const day: SessionContent = {
  ...{ day: 1, week: 1, title: 'Rest', intro: 'Sit down.', minutes: 5, steps: [], transcript: null, sample: false },
  ...{ audioUrl: '/api/programme/days/1/audio', audioSeconds: 300, heard: 1, listened: false },
}
vi.mock('./client.ts', async (original) => ({
  ...(await original<object>()),
  useRemote: () => [{ state: 'ready', data: { ...day, listened: shown.listened } }, {}],
}))
vi.mock('./Nav.tsx', () => ({ Nav: () => null }))
vi.mock('./Player.tsx', () => ({ Player: () => null }))
// a report has just been answered: the session counts
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useState: () => [{ heard: 1, counted: true }, () => undefined],
}))

test('A-07 "Well done" is said when a session begins to count, and not when it is heard again', () => {
  expect(renderToStaticMarkup(<Day day="1" />)).toContain('That was day 1.')
  shown.listened = true
  const again = renderToStaticMarkup(<Day day="1" />)
  expect([again.includes('Well done'), again.includes('✓ Listened')]).toEqual([false, true])
})

import { expect, test, vi } from 'vitest'

// Sanity's own module is a browser program; what is tested is what it is told.
vi.mock('sanity/presentation', () => {
  const same = (definition: unknown) => definition
  return { defineDocuments: same, defineLocations: same }
})

interface Resolver {
  resolve(document: object): { locations?: { title: string; href: string }[]; message?: string }
}
const { resolve } = await import('./preview.ts')
const locations = resolve.locations as unknown as Record<string, Resolver | undefined>

test('K-04 each step of the quiz is opened in the preview by its number and words', () => {
  const steps = [{ _key: 'a', title: 'Your eye color?' }, { _key: 'b' }]
  expect(locations['quiz']?.resolve({ steps }).locations).toEqual([
    { title: 'Welcome', href: '/quiz?step=Welcome' },
    { title: '1. Your eye color?', href: '/quiz?step=1' },
    { title: '2. No title yet', href: '/quiz?step=2' },
  ])
})

test('K-04 an article or legal page without an address has no page, and is not said to be the landing page', () => {
  for (const [type, empty] of [
    ['advertorial', { title: 'New', path: null }],
    ['legalPage', { title: 'New', slug: '' }],
  ] as const)
    expect(locations[type]?.resolve(empty)).toMatchObject({ message: 'No page yet: its address is missing.' })
  expect(locations['legalPage']?.resolve({ title: 'Privacy', slug: 'privacy' }).locations).toEqual([
    { title: 'Privacy', href: '/legal/privacy' },
  ])
})

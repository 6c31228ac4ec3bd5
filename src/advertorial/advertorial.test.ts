import { describe, expect, test } from 'vitest'
import { getAdvertorials } from '../cms/content.ts'
import { sampleSource } from '../cms/content.fixture.ts'
import { captureAttribution } from '../session/attribution.ts'
import { safeStore } from '../session/storage.ts'
import { actionPath, daysAgoText, withAttribution } from './advertorial.ts'
import { shelved } from './all.ts'
import { checkedPath } from './paths.ts'
import { storedAttribution } from './stored.ts'

const DAY = 86_400_000
const opened = (query: string, now: number, timeZone = 'America/New_York') => ({
  query: new URLSearchParams(query),
  now,
  timeZone,
  secure: true,
  setCookie: () => undefined,
})

describe('where an article leads', () => {
  test('V-01 to the landing page with its own utm, and what is stored appended', () => {
    const path = actionPath('blog-women-over60')
    expect(path).toBe('/?utm=blog-women-over60')
    expect(withAttribution(path, {})).toBe('/?utm=blog-women-over60')
    expect(
      withAttribution(path, {
        fbclid: 'a b&c',
        utm_source: 'fb',
        utm_medium: 'cpc',
        utm_campaign: 'x',
        utm_term: 'no',
        utm: 'other',
      }),
    ).toBe('/?utm=blog-women-over60&fbclid=a+b%26c&utm_source=fb&utm_medium=cpc&utm_campaign=x')
  })

  test('V-01 L-06 the last touch counts, then older stored values, for 90 days', () => {
    const store = safeStore(() => undefined)
    captureAttribution(store, opened('fbclid=one&utm_source=fb', 0))
    captureAttribution(store, opened('utm_source=google', 10 * DAY))
    expect(storedAttribution(store, 20 * DAY)).toMatchObject({ fbclid: 'one', utm_source: 'google' })
    expect(storedAttribution(store, 95 * DAY)).toEqual({ utm_source: 'google' })
    expect(storedAttribution(store, 101 * DAY)).toEqual({})
  })

  test('V-01 L-06 where nothing may be stored, this visit alone carries it', () => {
    const store = safeStore(() => undefined)
    captureAttribution(store, opened('fbclid=one', 0, 'Europe/Berlin'))
    expect(store.get('fbclid')).toBeNull()
    expect(storedAttribution(store, 1)).toEqual({ fbclid: 'one' })
  })

  test('V-01 a name that another part of the product stored is carried as well', () => {
    const store = safeStore(() => undefined)
    store.set('utm_campaign', 'spring')
    expect(storedAttribution(store, 1)).toEqual({ utm_campaign: 'spring' })
  })
})

test('V-02 the age of a comment in words', () => {
  expect([0, 1, 12].map(daysAgoText)).toEqual(['today', '1 day ago', '12 days ago'])
})

test('V-03 a path that another page has stops the build and names the document', () => {
  expect(checkedPath({ id: 'a', path: '/women-over60' })).toBe('women-over60')
  expect(checkedPath({ id: 'a', path: '/stories/first' })).toBe('stories/first')
  for (const path of [
    '/quiz',
    '/checkout',
    '/app',
    '/legal/x',
    '/api/x',
    '/terms',
    '/404',
    '/og/x',
    '/upsell/a',
    '/exit',
    '/mail-link',
    '/paypal-return/x',
    '/audio/x',
    '/cancel/x/y',
  ]) {
    expect(() => checkedPath({ id: 'advertorial-x', path }), path).toThrow(/advertorial-x.*path/)
  }
})

describe('an article put away until its page is written', () => {
  test('V-03 comes back as it was, and its address and cover are known without opening it', async () => {
    const [article] = await getAdvertorials(sampleSource())
    const away = shelved(article!)
    expect(away).toMatchObject({ id: article!.id, path: article!.path, cover: article!.cover })
    expect(away.open()).toEqual(article)
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { VisitorQuiz } from './quiz-state.ts'

/** A page of the quiz in Europe, where nothing of an advertisement may be stored before a consent. */
let address: URL
const stored = new Map<string, string>()

beforeEach(() => {
  vi.resetModules()
  stored.clear()
  address = new URL('https://shop.example/quiz?step=Welcome&age=60%2B&utm_campaign=spring')
  const go = (_state: unknown, _title: string, to: string): void => void (address = new URL(to, address))
  vi.stubGlobal('location', {
    get search() {
      return address.search
    },
    protocol: 'https:',
  })
  vi.stubGlobal('document', { getElementById: () => null })
  vi.stubGlobal('history', { state: null, pushState: go, replaceState: go })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'Europe/Berlin',
  } as Intl.ResolvedDateTimeFormatOptions)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('Q-02 L-06 from Welcome on, a step for a campaign is shown to a European who came by it', async () => {
  const [{ createQuiz }, { browserWorld }] = await Promise.all([import('./quiz.store.ts'), import('./world.ts')])
  const steps = [
    { kind: 'info', next: 2, showIf: { key: 'utm_campaign', operator: 'is', values: ['spring'] } },
    { kind: 'info', next: 3 },
    { kind: 'price', next: '/checkout' },
  ]
  const quiz = createQuiz({ steps, welcome: {}, seo: {} } as unknown as VisitorQuiz, browserWorld)
  quiz.show()
  expect(quiz.$place.get()).toBe('Welcome')
  quiz.start()
  expect([quiz.$place.get(), address.search]).toEqual([1, '?step=1'])
  expect([...stored.keys()].filter((key) => key.includes('utm') || key.includes('attribution'))).toEqual([])
})

test('L-06 Q-04 a condition on a campaign reads the last touch alone, the same after a reload', async () => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'America/New_York',
  } as Intl.ResolvedDateTimeFormatOptions)
  const open = async (query: string) => {
    vi.resetModules()
    address = new URL(`https://shop.example/quiz?${query}`)
    const { browserWorld } = await import('./world.ts')
    const known = browserWorld.campaign()
    const { captureHere } = await import('../session/attribution.ts')
    captureHere()
    return known
  }
  await open('utm_source=fb&utm_campaign=spring')
  const before = await open('utm_source=newsletter')
  expect(await open('step=12')).toEqual(before)
  expect(before).toEqual({ utm_source: 'newsletter' })
  // a link that names no campaign is a touch as well
  const clicked = await open('fbclid=abc')
  expect([clicked, await open('step=12')]).toEqual([{ fbclid: 'abc' }, { fbclid: 'abc' }])
  // a browser of an earlier release, or a touch that cannot be read: the single names are all there is
  for (const touch of ['{"at":1}', 'nonsense', undefined]) {
    if (touch) stored.set('attribution_last', touch)
    else stored.delete('attribution_last')
    expect(await open('step=12')).toMatchObject({ utm_source: 'newsletter', utm_campaign: 'spring' })
  }
})

test('L-06 the session hears of the campaign also when Start is pressed before its code has come', async () => {
  const { browserWorld } = await import('./world.ts')
  browserWorld.go('/quiz?step=1', false)
  const [{ captureHere, readTouches }, { local }] = await Promise.all([
    import('../session/attribution.ts'),
    import('../session/storage.ts'),
  ])
  captureHere()
  expect(readTouches(local).first?.parameters).toEqual({ utm_campaign: 'spring' })
})

test('S-33 without a network the quiz stays; once there is one it leaves, by itself or at the next press', async () => {
  const left = vi.fn()
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('ononline', null)
  vi.stubGlobal('location', { href: address.href, search: address.search, assign: left })
  vi.doMock('./network.ts', () => ({ flushOutbox: async () => undefined }))
  const { browserWorld } = await import('./world.ts')
  expect([browserWorld.leave('/checkout'), browserWorld.leave('/checkout')]).toEqual([false, false])
  const comesBack = globalThis.ononline as (() => void) | null
  vi.stubGlobal('navigator', { onLine: true })
  comesBack?.()
  await vi.waitFor(() => expect(left).toHaveBeenCalledExactlyOnceWith('/checkout'))
  expect(browserWorld.leave('/checkout')).toBe(true)
  await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(2))
  // the network comes and goes: nobody who went back is taken away again
  expect(globalThis.ononline).toBeNull()
})

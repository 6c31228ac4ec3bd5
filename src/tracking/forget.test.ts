import { expect, test, vi } from 'vitest'
import * as KEYS from '../session/keys.ts'

test('L-06 what was stored before the region was known leaves the device and is known to this page', async () => {
  const stored = new Map<string, string>([
    ['redirect_fbclid', 'x'],
    ['attribution_sent', '{"first":{"fbclid":"x"}}'],
  ])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('location', { search: '?utm_source=fb&fbclid=x', protocol: 'https:', hostname: 'www.shop.example' })
  const written: string[] = []
  vi.stubGlobal('document', {
    get cookie() {
      return 'fbclid=x; _fbp=fb.1.2.3; a__Host-session=kept'
    },
    set cookie(text: string) {
      written.push(text)
    },
  })
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'America/Chicago',
  } as Intl.ResolvedDateTimeFormatOptions)
  const attribution = await import('../session/attribution.ts')
  const { forgetAdvertising } = await import('./forget.ts')
  const { local } = await import('../session/storage.ts')
  attribution.captureHere()
  expect(stored.has('fbclid')).toBe(true)
  written.length = 0
  forgetAdvertising()
  expect([...stored]).toEqual([])
  expect(written.some((text) => /^fbclid=; Path=\/; Max-Age=0$/.test(text))).toBe(true)
  expect(written.some((text) => /^_fbp=; Path=\/; Max-Age=0; Domain=shop\.example$/.test(text))).toBe(true)
  expect(written.join()).not.toContain('Host')
  // the page that is left does not store it again, and a session made here knows it
  attribution.captureHere()
  expect([...stored]).toEqual([])
  expect(attribution.readTouches(local).last?.parameters).toEqual({ utm_source: 'fb', fbclid: 'x' })
  stored.set(KEYS.advertisingConsent, 'granted')
  attribution.captureHere()
  expect(stored.has('fbclid')).toBe(true)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

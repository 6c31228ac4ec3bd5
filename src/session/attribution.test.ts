import { describe, expect, test } from 'vitest'
import { captureAttribution, mayStoreAttribution, nextTouches, readTouches } from './attribution.ts'
import { KEYS, type Store } from './storage.ts'

const DAY = 86_400_000

function memoryStore(entries: Record<string, string> = {}): Store & { all: Map<string, string> } {
  const all = new Map(Object.entries(entries))
  return {
    all,
    get: (key) => all.get(key) ?? null,
    set: (key, value) => void all.set(key, value),
    remove: (key) => void all.delete(key),
  }
}

const place = (query: string, cookies: string[] = [], timeZone = 'America/New_York', now = DAY) => ({
  query: new URLSearchParams(query),
  now,
  timeZone,
  secure: true,
  setCookie: (cookie: string) => void cookies.push(cookie),
})

describe('attribution', () => {
  test('L-06 the first touch stays, the last one follows, an address without parameters changes nothing', () => {
    const first = nextTouches({}, { utm_source: 'facebook' }, 0)
    const second = nextTouches(first, { utm_source: 'google' }, DAY)
    expect(second.first?.parameters).toEqual({ utm_source: 'facebook' })
    expect(second.last?.parameters).toEqual({ utm_source: 'google' })
    expect(nextTouches(second, {}, 2 * DAY)).toEqual(second)
  })

  test('L-06 touches end after 90 days', () => {
    const old = nextTouches({}, { utm: 'blog-women-over60' }, 0)
    expect(nextTouches(old, {}, 90 * DAY)).toEqual({})
    expect(nextTouches(old, { utm_source: 'mail' }, 90 * DAY).first?.parameters).toEqual({ utm_source: 'mail' })
    expect(nextTouches(old, {}, 90 * DAY - 1).first).toBeDefined()
  })

  test('L-06 V-01 what ended after 90 days leaves the device when an address is opened', () => {
    const store = memoryStore()
    captureAttribution(store, place('utm_source=fb&fbclid=x'))
    store.set(KEYS.attributionSent, '{"first":{"fbclid":"x"}}')
    captureAttribution(store, place('utm_source=mail', [], 'America/New_York', 50 * DAY))
    captureAttribution(store, place('', [], 'America/New_York', 91 * DAY))
    const last = JSON.stringify({ at: 50 * DAY, parameters: { utm_source: 'mail' } })
    expect(Object.fromEntries(store.all)).toEqual({ [KEYS.lastTouch]: last, utm_source: 'mail' })
    captureAttribution(store, place('utm_campaign=new', [], 'America/New_York', 95 * DAY))
    expect([store.get('utm_source'), readTouches(store).first?.at]).toEqual(['mail', 50 * DAY])
    captureAttribution(store, place('', [], 'America/New_York', 185 * DAY))
    expect([...store.all]).toEqual([])
  })

  test('L-06 every parameter is kept under its own name, fbclid also in a cookie of 90 days', () => {
    const store = memoryStore()
    const cookies: string[] = []
    captureAttribution(store, place('utm_source=fb&utm_campaign=spring&fbclid=IwAR%201&other=1', cookies))
    expect(store.get('utm_source')).toBe('fb')
    expect(store.get('fbclid')).toBe('IwAR 1')
    expect(store.get('other')).toBeNull()
    expect(cookies).toEqual(['fbclid=IwAR%201; Path=/; Max-Age=7776000; SameSite=Lax; Secure'])
    expect(readTouches(store).first?.parameters.utm_campaign).toBe('spring')
  })

  test('L-06 where consent is needed and not given, attribution lives in memory for the visit only', () => {
    const store = memoryStore()
    const cookies: string[] = []
    captureAttribution(store, place('utm_source=fb&fbclid=x', cookies, 'Europe/Berlin'))
    expect(store.all.size).toBe(0)
    expect(cookies).toEqual([])
    expect(readTouches(store).last?.parameters).toEqual({ utm_source: 'fb', fbclid: 'x' })
    expect(mayStoreAttribution('granted', 'Europe/Berlin')).toBe(true)
    expect(mayStoreAttribution('denied', 'America/New_York')).toBe(false)
  })

  test.each(['America/Toronto', 'America/Vancouver', 'America/St_Johns', 'Canada/Pacific', 'Asia/Nicosia', ''])(
    'L-06 before an answer nothing is stored in the zone “%s”, as nothing is measured there',
    (timeZone) => {
      const store = memoryStore()
      const cookies: string[] = []
      captureAttribution(store, place('utm_source=fb&fbclid=x', cookies, timeZone))
      expect([store.all.size, cookies]).toEqual([0, []])
      expect(mayStoreAttribution('granted', timeZone)).toBe(true)
      expect(mayStoreAttribution(null, 'America/Chicago')).toBe(true)
    },
  )

  test('L-06 Q-14 a corrupted touch is repaired', () => {
    const store = memoryStore({ [KEYS.firstTouch]: '{"at":"yesterday"}', [KEYS.lastTouch]: 'nonsense' })
    captureAttribution(store, place('utm_source=new'))
    expect(readTouches(store).first?.parameters).toEqual({ utm_source: 'new' })
  })
})

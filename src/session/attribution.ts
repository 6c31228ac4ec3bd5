import { ATTRIBUTION_DAYS, ATTRIBUTION_KEYS, parseAttribution, type Attribution } from '../../contract/attribution.ts'
import { consentAsked } from '../../contract/consent.ts'
import * as KEYS from './keys.ts'
import { arrivedWith, asRecord, local, readJson, writeJson, type Store } from './storage.ts'

/** One touch: the parameters of a landing URL, and when it was opened (milliseconds). */
export interface Touch {
  at: number
  parameters: Attribution
}
export interface Touches {
  first?: Touch
  last?: Touch
}

const LIFETIME_MS = ATTRIBUTION_DAYS * 86_400_000

/**
 * L-06: the touches after an address was opened. The first touch stays until it is 90 days old, and then the last one
 * before the new one takes its place; an address without parameters changes nothing.
 */
export function nextTouches(known: Touches, parameters: Attribution, now: number): Touches {
  const fresh = (touch?: Touch): Touch | undefined => (touch && now - touch.at < LIFETIME_MS ? touch : undefined)
  const first = fresh(known.first)
  const last = fresh(known.last)
  if (Object.keys(parameters).length === 0) return { ...(first ? { first } : {}), ...(last ? { last } : {}) }
  const touch = { at: now, parameters }
  return { first: first ?? last ?? touch, last: touch }
}

function asTouch(value: unknown): Touch | undefined {
  const record = asRecord(value)
  const found = asRecord(record?.parameters)
  if (typeof record?.at !== 'number' || !found) return undefined
  const parameters: Attribution = {}
  for (const key of ATTRIBUTION_KEYS) if (typeof found[key] === 'string') parameters[key] = found[key]
  return { at: record.at, parameters }
}

/** For this page only: while nothing may be stored (L-06), touches still reach a session created here. */
const inMemory = new WeakMap<Store, Touches>()

/** The stored touches, or those of this page where storing needs a consent that was not given. */
export function readTouches(store: Store): Touches {
  const first = readJson(store, KEYS.firstTouch, asTouch) ?? inMemory.get(store)?.first
  const last = readJson(store, KEYS.lastTouch, asTouch) ?? inMemory.get(store)?.last
  return { ...(first ? { first } : {}), ...(last ? { last } : {}) }
}

/** Removes all that the device keeps of touches, except the cookie, which ends by itself. */
export function forgetTouches(store: Store): void {
  for (const key of [KEYS.firstTouch, KEYS.lastTouch, KEYS.attributionSent, ...ATTRIBUTION_KEYS]) store.remove(key)
}

/** On this page nothing is stored without a consent: more was learnt than the time zone says. */
let barred = false

/** What is known stays known to this page, and from now on only a consent has it stored. */
export function keepInMemory(store: Store): void {
  barred = true
  inMemory.set(store, readTouches(store))
}

/**
 * Whether attribution may be stored on the device: always after a consent, never after a refusal. Without an answer,
 * only where nobody is asked, judged by the time zone, which needs no request.
 */
export function mayStoreAttribution(consent: string | null, timeZone: string): boolean {
  return consent === 'granted' || (consent === null && !barred && !consentAsked(null, timeZone, null))
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

/** The same of this browser, now. */
export const mayStoreHere = (): boolean => mayStoreAttribution(local.get(KEYS.advertisingConsent), zoneHere())

export interface AttributionPlace {
  query: URLSearchParams
  now: number
  timeZone: string
  secure: boolean
  setCookie(cookie: string): void
}

/** Keeps what this page's address says about where the visitor came from. Returns the current touches. */
export function captureAttribution(store: Store, place: AttributionPlace): Touches {
  const parameters = parseAttribution(place.query)
  const known = readTouches(store)
  const touches = nextTouches(known, parameters, place.now)
  if (!mayStoreAttribution(store.get(KEYS.advertisingConsent), place.timeZone)) {
    inMemory.set(store, touches)
    return touches
  }
  inMemory.delete(store)
  // the names tell of no day: what the last touch does not hold goes with the oldest one
  const oldest = known.first ?? known.last
  if (oldest && oldest !== touches.first && oldest !== touches.last) forgetTouches(store)
  if (touches.first) writeJson(store, KEYS.firstTouch, touches.first)
  if (touches.last) writeJson(store, KEYS.lastTouch, touches.last)
  // names given by the specification (V-01)
  for (const key of ATTRIBUTION_KEYS) {
    const value = touches.last?.parameters[key]
    if (value) store.set(key, value)
  }
  if (parameters.fbclid) {
    const value = `fbclid=${encodeURIComponent(parameters.fbclid)}; Path=/; Max-Age=${LIFETIME_MS / 1000}; SameSite=Lax`
    place.setCookie(place.secure ? `${value}; Secure` : value)
  }
  return touches
}

/**
 * captureAttribution for this browser and the address that opened this page. A second call only updates the time of the
 * last touch.
 */
export function captureHere(): void {
  try {
    captureAttribution(local, {
      query: new URLSearchParams(arrivedWith),
      now: Date.now(),
      timeZone: zoneHere(),
      secure: location.protocol === 'https:',
      setCookie: (cookie) => {
        document.cookie = cookie
      },
    })
  } catch {
    // attribution is never worth a broken page (T-04)
  }
}

/** The touches in the form that the service takes. */
export function attributionOf(touches: Touches): { first?: Attribution; last?: Attribution } {
  return {
    ...(touches.first ? { first: touches.first.parameters } : {}),
    ...(touches.last ? { last: touches.last.parameters } : {}),
  }
}

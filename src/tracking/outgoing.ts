import { api, type ActivityEvent, type TrackEvent, type TrackRequest } from '../../contract/api.ts'
import { UUIDS } from '../../contract/uuid.ts'
import { attributionOf, mayStoreHere, readTouches } from '../session/attribution.ts'
import { storedSessionId } from '../session/id.ts'
import * as KEYS from '../session/keys.ts'
import { local } from '../session/storage.ts'
import { mayMeasure } from './consent.ts'

/**
 * D-08: what a page reports about itself, batched and handed to the browser as beacons: nothing waits for them, and
 * failures are silent (T-04). Before a session exists, a limited number wait here.
 */
const GATHER_MS = 3_000
const MOST_WAITING = 60
/** Pending beacons may hold 64 KB in total. */
const MOST_AT_ONCE = 25

const waiting = new Map<string, TrackEvent>()
let timer: ReturnType<typeof setTimeout> | undefined
let listening = false

/** An id that contains its time (UUIDv7), so that rows are stored in order of time. */
export function timedId(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) & 0xff
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Queues an event for the next beacon; it replaces an earlier one of the same id. */
export function record(event: TrackEvent): void {
  if (waiting.size >= MOST_WAITING && !waiting.has(event.id)) return
  waiting.set(event.id, event)
  if (!listening) {
    listening = true
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush())
  }
  timer ??= setTimeout(flush, GATHER_MS)
}

/**
 * What the visit itself needs is sent whatever was chosen; events that only measure need the consent the region
 * requires.
 */
const NEEDED: ReadonlySet<string> = new Set(['checkout_opened', 'exit_intent', 'contact'])
const needed = (event: TrackEvent): boolean =>
  event.kind === 'error' || (event.kind === 'activity' && NEEDED.has(event.type))

/** Sends what may be sent now. Never throws. */
export function flush(): void {
  clearTimeout(timer)
  timer = undefined
  const sessionId = storedSessionId(local)
  if (waiting.size === 0 || navigator.onLine === false) return
  const measuring = mayMeasure()
  const events = [...waiting.values()].filter((event) => measuring || needed(event))
  if (!sessionId || events.length === 0) {
    // not known yet: a session or an answer may come
    timer = setTimeout(flush, GATHER_MS * 3)
    return
  }
  const batch = events.slice(0, MOST_AT_ONCE)
  const body: TrackRequest = { sessionId, events: batch, ...laterTouch() }
  if (send(JSON.stringify(body))) for (const { id } of batch) waiting.delete(id)
  if (waiting.size > 0) timer = setTimeout(flush, GATHER_MS)
}

let sent: string | null | undefined

/** L-06: a touch that came after the session was created. Where it may not be stored, this page remembers it alone. */
function laterTouch(): Pick<TrackRequest, 'attribution'> {
  const attribution = attributionOf(readTouches(local))
  const text = JSON.stringify(attribution)
  sent ??= local.get(KEYS.attributionSent)
  if (text === '{}' || sent === text) return {}
  sent = text
  if (mayStoreHere()) local.set(KEYS.attributionSent, text)
  return { attribution }
}

function send(text: string): boolean {
  try {
    const body = new Blob([text], { type: 'text/plain' })
    if (navigator.sendBeacon?.(api.track.path, body)) return true
    void fetch(api.track.path, { method: 'POST', body, keepalive: true }).catch(() => undefined)
    return true
  } catch {
    return false
  }
}

/** T-03: logs an activity; `data` never holds an answer. */
export function recordActivity(type: string, data?: ActivityEvent['data']): void {
  try {
    // D-08: on a step of the quiz the title is the question, or a result that follows from answers
    const title = location.pathname === '/quiz' ? {} : { title: document.title.slice(0, 200) }
    record({ kind: 'activity', id: timedId(), type, url: place(), ...title, ...(data ? { data } : {}) })
  } catch {
    // tracking never blocks the page or shows an error
  }
}

/** The path of this page without ids. */
export function place(path = location.pathname): string {
  return path.replace(UUIDS, ':id')
}

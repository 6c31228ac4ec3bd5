import { newUuid } from '../session/id.ts'

/**
 * T-01: data-layer pushes. They carry an event id and an amount, never a session id, an e-mail or an answer; no script
 * that would read them loads on a page with a session id. The server sends the conversions (T-02, T-03).
 */
export type Value = string | number | undefined

declare global {
  interface Window {
    dataLayer?: Record<string, Value>[]
  }
}

/** Pushes one event. Never throws (T-04). */
export function pushEvent(event: string, data: Record<string, Value> = {}): void {
  try {
    window.dataLayer ??= []
    window.dataLayer.push({ event, event_id: newUuid(), ...data })
  } catch {
    // tracking never blocks the page or shows an error
  }
}

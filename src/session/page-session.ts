import type { NextPage, SessionView } from '../../contract/api.ts'
import { readAnswers } from './answers.ts'
import { sessionIdInPath, storedSessionId } from './id.ts'
import { call } from './client.ts'
import { isSessionLost, type Failure } from './http.ts'
import { takeOver } from './handover.ts'
import * as KEYS from './keys.ts'
import { local } from './storage.ts'

/** What a page with a session id in its path finds out about that session. */
export type PageSession =
  | { state: 'ready'; session: SessionView }
  /** No id in the path, and none in this browser. */
  | { state: 'none' }
  /** The service does not know the id, or refuses it to this browser (C-02); null: the path holds no valid id. */
  | { state: 'lost'; sessionId: string | null }
  | { state: 'unreachable'; sessionId: string; failure: Failure }

let held: string | null = null
/** The session that this browser held when the page looked for its own: the outbox may have begun another one since. */
export const heldBefore = (): string | null => held

/** The session of this page: the id in the path, else the one this browser holds. Never throws. */
export async function loadPageSession(pathname: string = location.pathname): Promise<PageSession> {
  const named = sessionIdInPath(pathname)
  held = storedSessionId(local)
  if (!named && pathname.split('/')[2]) return { state: 'lost', sessionId: null }
  const sessionId = named ?? held
  if (!sessionId) return { state: 'none' }
  const outcome = await call('session', { path: { sessionId } })
  if (outcome.ok) {
    takeOver(sessionId, outcome.data.over)
    return { state: 'ready', session: outcome.data }
  }
  return isSessionLost(outcome) ? { state: 'lost', sessionId } : { state: 'unreachable', sessionId, failure: outcome }
}

/** The path of a page of the funnel for a session (C-02: a session goes to its next unfinished page). */
export function pagePath(page: NextPage, sessionId: string): string {
  return page === 'quiz' ? '/quiz' : `/${page}/${sessionId}`
}

/** Whether the browser holds any quiz answers. */
export function hasLocalAnswers(): boolean {
  return Object.keys(readAnswers()).length > 0
}

/** C-01, C-02: see afresh.ts. Rarely needed, so it is loaded on demand; null too when it cannot be. */
export function goOnAfresh(lost?: string): Promise<string | null> {
  return import('./afresh.ts').then(
    (afresh) => afresh.goOnAfresh(lost),
    () => null,
  )
}

/** sends what an earlier page left unsent; nothing waits for it, and an empty outbox loads no code. */
export function sendLeftBehind(healthConsentRegions: readonly string[]): void {
  if (!local.get(KEYS.outbox)) return
  void import('./queue.ts').then(
    (queue) => queue.startOutbox(healthConsentRegions),
    () => undefined,
  )
}

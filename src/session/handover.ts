import { call } from './client.ts'
import type { Outcome } from './http.ts'
import type { OpenLinkResponse } from '../../contract/api.ts'
import { keepSessionId, storedSessionId } from './id.ts'
import * as KEYS from './keys.ts'
import { local } from './storage.ts'

/**
 * C-17: the code or token in the fragment of an address (`#handover=…`, `#resume=…`), which reaches no server and no
 * log. It is removed from the address bar at once.
 */
export function takeLinkCode(): string | null {
  const code = /^#(?:handover|resume)=([\w-]{16,2048})$/.exec(location.hash)?.[1]
  if (!code) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/** What is kept of one visit and its visitor. Choices about data, and where a visitor came from, are the browser’s. */
const OF_ONE_VISIT = [
  KEYS.answers,
  KEYS.outbox,
  KEYS.quizPlace,
  KEYS.quizStartedAt,
  KEYS.quizCompleted,
  KEYS.quizCompletionTime,
  KEYS.quizEmail,
  KEYS.customerEmail,
  KEYS.customerName,
]

/**
 * Makes a visit that this browser has proved to hold its own. Nothing of another one stays (C-02): its price would be
 * shown and ordered, its name filled in, and what it has not sent would be sent to this one. `over`: what lies beside
 * a visit that is over is for a new order, and stays (P-14).
 */
export function takeOver(sessionId: string, over?: boolean): void {
  if (!over && storedSessionId(local) !== sessionId) for (const key of OF_ONE_VISIT) local.remove(key)
  keepSessionId(local, sessionId)
}

/** Opens the session of a code in this browser, once. */
export async function openByCode(code: string): Promise<Outcome<OpenLinkResponse>> {
  const outcome = await call('openLink', { body: { code } })
  if (outcome.ok) takeOver(outcome.data.sessionId, outcome.data.over)
  return outcome
}

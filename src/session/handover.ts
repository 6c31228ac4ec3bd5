import { call } from './client.ts'
import type { Outcome } from './http.ts'
import type { OpenLinkResponse } from '../../contract/api.ts'
import { keepSessionId, storedSessionId } from './id.ts'
import { KEYS, local } from './storage.ts'

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

/** Whether this address carries a code. */
export const hasLinkCode = (): boolean => /^#(handover|resume)=/.test(location.hash)

/**
 * Opens the session of a code in this browser, once. Nothing of another visit stays (C-02): its price would be shown
 * and ordered, and what it has not sent would be sent to this one.
 */
export async function openByCode(code: string): Promise<Outcome<OpenLinkResponse>> {
  const outcome = await call('openLink', { body: { code } })
  if (!outcome.ok) return outcome
  const { sessionId } = outcome.data
  if (storedSessionId(local) !== sessionId) for (const key of [KEYS.answers, KEYS.outbox]) local.remove(key)
  keepSessionId(local, sessionId)
  return outcome
}

/**
 * A code that lets another browser open the session, for addresses an in-app browser may hand over. Null if none can be
 * had.
 */
export async function handoverCode(sessionId: string): Promise<string | null> {
  const outcome = await call('handover', { path: { sessionId } })
  return outcome.ok ? outcome.data.code : null
}

/**
 * C-02: mails a link to the session's e-mail address; the answer never says whether it has one. 'later': asked too
 * often.
 */
export async function askForResumeLink(sessionId: string): Promise<'sent' | 'later' | 'failed'> {
  const outcome = await call('resumeLink', { path: { sessionId } })
  return outcome.ok ? 'sent' : outcome.status === 429 ? 'later' : 'failed'
}

import { isSessionId, sessionIdInPath } from '../session/id.ts'

/** C-17: /redirect/{sessionId} leads from an in-app browser's first page to the checkout. */
export const REDIRECT_SECONDS = 3
export const NO_SESSION_WORDS = 'No session ID provided. Cannot redirect.'

/** The in-app browsers of Facebook and Instagram. */
export function isInAppBrowser(userAgent: string): boolean {
  return /FBAN|FBAV|FB_IAB|Instagram/.test(userAgent)
}

/** The checkout's address with the parameters to keep from this one: fbclid and step. */
export function redirectTarget(sessionId: string, search: string): string {
  const query = new URLSearchParams(search)
  const kept = new URLSearchParams()
  for (const key of ['fbclid', 'step']) {
    const value = query.get(key)
    if (value) kept.set(key, value)
  }
  const text = kept.toString()
  return `/checkout/${sessionId}${text ? `?${text}` : ''}`
}

/** The session that an address names: in its path, else in its query. */
export function redirectSession(pathname: string, search: string): string | null {
  const query = new URLSearchParams(search)
  const named = query.get('session_id') ?? query.get('sessionId')
  return sessionIdInPath(pathname) ?? (isSessionId(named) ? named.toLowerCase() : null)
}

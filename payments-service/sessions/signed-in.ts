import type { Request } from 'express'
import type { Deps } from '../deps.ts'

/** The headers of a request for better-auth: cookies and nothing else. */
export function authHeaders(req: Request): Headers {
  return new Headers({ cookie: req.headers.cookie ?? '' })
}

/**
 * Who is signed in, as better-auth knows them, and by which of its sessions; null for everybody else. Where better-auth
 * renewed the session, once a day, the answer of the request renews it in the browser.
 */
export async function signedIn(deps: Pick<Deps, 'auth'>, req: Request) {
  // without a cookie the auth library need not be loaded
  if (!req.headers.cookie?.includes('funnel-account')) return null
  const auth = await deps.auth()
  const { headers, response } = await auth.api.getSession({ headers: authHeaders(req), returnHeaders: true })
  // the cookie of a session that is over is left: its removal could overtake a new sign-in
  if (response) req.res?.append('Set-Cookie', headers.getSetCookie())
  return response
}

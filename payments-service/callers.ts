import type { Request } from 'express'
import { parseCookie } from 'cookie'
import { isSignedIn } from './accounts/member.ts'
import type { Deps } from './deps.ts'
import type { Caller } from './http/limits.ts'
import { readerOf } from './mail-links/reader.ts'
import { isLiveToken } from './sessions/access.ts'
import { callerKey, hashToken, presentedToken } from './sessions/token.ts'

/**
 * The caller that a request counts for besides its address: the browser that holds the visit in the path, the reader of
 * a mail with the token of its link, or the account that is signed in. An id alone does not count, because strangers
 * may know it.
 */
export function callerOf(deps: Deps, req: Request, params: Record<string, string>): Caller | undefined {
  const { sessionId } = params
  const { token } = (req.body ?? {}) as { token?: unknown }
  if (sessionId !== undefined) {
    const held = presentedToken(deps.config, req, sessionId)
    if (held === undefined) return undefined
    return { key: callerKey(held), known: () => isLiveToken(deps.db, sessionId, hashToken(held)) }
  }
  return (typeof token === 'string' ? readerOf(deps, token) : undefined) ?? memberOf(deps, req)
}

const isSession = ([name]: [string, unknown]): boolean =>
  name.includes('funnel-account') && name.endsWith('session_token')

function memberOf(deps: Deps, req: Request): Caller | undefined {
  const { cookie } = req.headers
  if (!cookie?.includes('funnel-account')) return undefined
  const held = Object.entries(parseCookie(cookie)).find(isSession)?.[1]
  if (!held) return undefined
  // what fails here fails in the request too, and is said there: until then it is a stranger's
  return { key: hashToken(held).toString('base64url'), known: () => isSignedIn(deps, req).catch(() => false) }
}

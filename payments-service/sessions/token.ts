import { hash, randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import type { Config } from '../config.ts'

/** How long a browser keeps a visit, in days. */
export const TOKEN_DAYS = 180

/**
 * A new 256-bit token, and its hash for the database. A token's successor bears the mark of the first one, so that both
 * are one caller to the limits (callerKey).
 */
export function mintToken(predecessor?: string): { token: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url')
  const token = predecessor === undefined ? secret : `${secret}.${callerKey(predecessor)}`
  return { token, hash: hashToken(token) }
}

/**
 * What the holder of a token counts under: the same for all its successors. A stranger cannot guess it, and whoever
 * changes it in a token holds another one, which opens nothing.
 */
export function callerKey(token: string): string {
  return /\.([\w-]{43})$/.exec(token)?.[1] ?? hashToken(token).toString('base64url')
}

/** SHA-256: the token has 256 random bits, so nothing slower is needed. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/**
 * Whether the visit's cookie is Secure and has the prefix: always, except in development over plain http. There WebKit
 * keeps no Secure cookie, and on a LAN address no browser does.
 */
const isSecure = ({ embedded, siteUrl }: Config, req: Request): boolean =>
  !embedded || siteUrl.startsWith('https:') || req.protocol === 'https'

const name = (config: Config): string => `funnel${config.cookieSuffix ? `-${config.cookieSuffix}` : ''}`
/** One cookie per session: a fresh start never removes a paid one, and concurrent replies never lose a token. */
const label = (sessionId: string): string => sessionId.toLowerCase().replaceAll('-', '').slice(0, 16)

/** Prefixes of our cookies. If both forms are present, the one that this scheme writes counts. */
function starts(config: Config, req: Request): string[] {
  const prefixes = isSecure(config, req) ? ['__Host-', ''] : ['', '__Host-']
  return (config.embedded ? prefixes : ['__Host-']).map((prefix) => `${prefix}${name(config)}.`)
}

/** All our cookies in a request: session label → token. */
export function heldTokens(config: Config, req: Request): Map<string, string> {
  const held = new Map<string, string>()
  const cookies = Object.entries(parseCookie(req.headers.cookie ?? ''))
  for (const start of starts(config, req)) {
    for (const [cookie, value] of cookies) {
      const visit = cookie.slice(start.length)
      if (value && cookie.startsWith(start) && !held.has(visit)) held.set(visit, value)
    }
  }
  return held
}

/** The token that this browser holds for a session, if any. */
export function presentedToken(config: Config, req: Request, sessionId: string): string | undefined {
  const cookies = parseCookie(req.headers.cookie ?? '')
  const visit = label(sessionId)
  for (const start of starts(config, req)) {
    const token = cookies[start + visit]
    if (token) return token
  }
  return undefined
}

/** The hash of that token. */
export function presentedHash(config: Config, req: Request, sessionId: string): Buffer | undefined {
  const token = presentedToken(config, req, sessionId)
  return token === undefined ? undefined : hashToken(token)
}

/** Puts the token into the browser: HttpOnly, Lax, bound to this very origin. */
export function setTokenCookie(config: Config, req: Request, res: Response, sessionId: string, token: string): void {
  writeCookie(config, req, res, label(sessionId), token, TOKEN_DAYS * 86_400)
}

/** Removes the cookie of a label. */
export function dropTokenCookie(config: Config, req: Request, res: Response, held: string): void {
  writeCookie(config, req, res, held, '', 0)
}

function writeCookie(config: Config, req: Request, res: Response, held: string, value: string, maxAge: number): void {
  const secure = isSecure(config, req)
  const cookie = stringifySetCookie({
    name: `${secure ? '__Host-' : ''}${name(config)}.${held}`,
    value,
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'lax',
    maxAge,
  })
  res.append('Set-Cookie', cookie)
}

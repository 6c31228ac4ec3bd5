import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request } from 'express'
import { emailKey } from '../../contract/email.ts'
import type { Config } from '../config.ts'
import type { Caller } from '../http/limits.ts'
import { networkOf } from '../http/networks.ts'
import { isSame, keyedHash, tokenSecrets } from '../keys/keys.ts'

/**
 * A browser in which a user signed in keeps a mark for that address. The mark signs no one in, but the browser's
 * tries are counted separately, so that strangers who guess passwords lock out only themselves.
 */
const DAYS = 180

const isSecure = ({ siteUrl }: Config): boolean => siteUrl.startsWith('https:')
const nameOf = (config: Config): string =>
  `${isSecure(config) ? '__Host-' : ''}funnel-known${config.cookieSuffix ? `-${config.cookieSuffix}` : ''}`

function seal(secret: string, nonce: string, email: string): string {
  return keyedHash(secret, 'known browser', `${nonce}\0${emailKey(email)}`).toString('base64url')
}

/** The Set-Cookie line that marks a browser after a sign-in. */
export function knownBrowserCookie(config: Config, email: string): string {
  const nonce = randomBytes(16).toString('base64url')
  return stringifySetCookie({
    name: nameOf(config),
    value: `${nonce}.${seal(config.tokenSecret, nonce, email)}`,
    path: '/',
    httpOnly: true,
    secure: isSecure(config),
    sameSite: 'lax',
    maxAge: DAYS * 86_400,
  })
}

/** The mark's nonce, if a user has signed in as `email` in this browser before. */
function markOf(config: Config, req: Request, email: string): string | undefined {
  const mark = parseCookie(req.headers.cookie ?? '')[nameOf(config)] ?? ''
  const [nonce = '', given = ''] = mark.split('.')
  const isOurs = tokenSecrets(config).some((secret) => isSame(given, seal(secret, nonce, email)))
  return nonce !== '' && isOurs ? nonce : undefined
}

export function isKnownBrowser(config: Config, req: Request, email: string): boolean {
  return markOf(config, req, email) !== undefined
}

/**
 * The caller that a sign-in as `email` counts for: this browser, if it has signed in before; else its whole network.
 */
export function signInCaller(config: Config, req: Request, email: string): Caller {
  const mark = markOf(config, req, email)
  const who = mark === undefined ? networkOf(req.ip) : `known ${mark}`
  return { key: `${emailKey(email).slice(0, 254)} ${who}`, known: () => mark !== undefined }
}

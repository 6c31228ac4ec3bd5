import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request } from 'express'
import { emailKey } from '../../contract/email.ts'
import type { Config } from '../config.ts'
import type { Caller } from '../http/limits.ts'
import { networkOf } from '../http/networks.ts'

/**
 * A browser in which somebody signed in keeps a mark for that address: it signs nobody in, but its tries are counted
 * apart from everybody else's, so that strangers who guess lock out themselves alone.
 */
const DAYS = 180

const isSecure = ({ siteUrl }: Config): boolean => siteUrl.startsWith('https:')
const nameOf = (config: Config): string =>
  `${isSecure(config) ? '__Host-' : ''}funnel-known${config.cookieSuffix ? `-${config.cookieSuffix}` : ''}`

function seal(config: Config, nonce: string, email: string): string {
  return createHmac('sha256', config.tokenSecret)
    .update(`known browser\0${nonce}\0${emailKey(email)}`)
    .digest('base64url')
}

/** The Set-Cookie line that marks a browser after a sign-in. */
export function knownBrowserCookie(config: Config, email: string): string {
  const nonce = randomBytes(16).toString('base64url')
  return stringifySetCookie({
    name: nameOf(config),
    value: `${nonce}.${seal(config, nonce, email)}`,
    path: '/',
    httpOnly: true,
    secure: isSecure(config),
    sameSite: 'lax',
    maxAge: DAYS * 86_400,
  })
}

/** Who tries to sign in as `email`: this browser, when it did before; else everybody of its network together. */
export function signInCaller(config: Config, req: Request, email: string): Caller {
  const mark = parseCookie(req.headers.cookie ?? '')[nameOf(config)] ?? ''
  const [nonce = '', given = ''] = mark.split('.')
  const expected = Buffer.from(seal(config, nonce, email))
  const found = Buffer.from(given)
  const known = nonce !== '' && found.length === expected.length && timingSafeEqual(found, expected)
  const who = known ? `known ${nonce}` : networkOf(req.ip)
  return { key: `${emailKey(email).slice(0, 254)} ${who}`, known: () => known }
}

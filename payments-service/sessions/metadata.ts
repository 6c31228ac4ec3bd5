import Bowser from 'bowser'
import { parseCookie } from 'cookie'
import { isbot } from 'isbot'
import type { Request } from 'express'
import type { CreateSessionRequest } from '../../contract/api.ts'
import type { Attribution } from '../../contract/attribution.ts'
import { regionIn } from '../../contract/tax/rates.ts'
import type { Config } from '../config.ts'

const LONGEST = 500
const cut = (text: string | undefined | null): string | undefined => text?.trim().slice(0, LONGEST) || undefined

type Where = Pick<Config, 'countryHeader'>

/**
 * The country from the header that the proxy in front sets (COUNTRY_HEADER; ISO 3166 alpha-2), and no other: a visitor
 * can send any. Undefined when it is missing or unknown (D-07).
 */
export function countryOf(req: Request, { countryHeader }: Where): string | undefined {
  const value = countryHeader === null ? undefined : req.get(countryHeader)?.trim().toUpperCase()
  // XX and T1 are Cloudflare's codes for unknown and Tor
  return value && /^[A-Z]{2}$/.test(value) && value !== 'XX' ? value : undefined
}

/** What the same proxies say beside the country, by their country header. */
const CITY_HEADERS: Readonly<Record<string, string>> = {
  'cf-ipcountry': 'cf-ipcity',
  'cloudfront-viewer-country': 'cloudfront-viewer-city',
  'x-vercel-ip-country': 'x-vercel-ip-city',
}
const REGION_HEADERS: Readonly<Record<string, string>> = {
  'cf-ipcountry': 'cf-region-code',
  'cloudfront-viewer-country': 'cloudfront-viewer-country-region',
  'x-vercel-ip-country': 'x-vercel-ip-country-region',
  'x-country-code': 'x-region-code',
}

/** The part of the country, kept only where it decides a tax rate (P-15). */
function regionOf(req: Request, where: Where): string | undefined {
  const header = REGION_HEADERS[where.countryHeader ?? '']
  return regionIn(countryOf(req, where) ?? null, header && req.get(header)) ?? undefined
}

function cityOf(req: Request, { countryHeader }: Where): string | undefined {
  const header = CITY_HEADERS[countryHeader ?? '']
  const value = header === undefined ? undefined : req.get(header)
  try {
    return cut(value === undefined ? undefined : decodeURIComponent(value))
  } catch {
    return cut(value)
  }
}

/** Meta's first-party cookies, which exist only after consent (T-02). */
function metaCookies(req: Request): { fbc?: string; fbp?: string } {
  const { _fbc, _fbp } = parseCookie(req.headers.cookie ?? '')
  const known = (text: string | undefined) =>
    text && /^fb\.\d\.\d{10,17}\.[\w.-]{1,450}$/.test(text) ? text : undefined
  const [fbc, fbp] = [known(_fbc), known(_fbp)]
  return { ...(fbc ? { fbc } : {}), ...(fbp ? { fbp } : {}) }
}

/** Whether the browser signals for its user that nothing is to be advertised by what is known of them (T-02). */
export function signalsPrivacy(req: Request): boolean {
  return req.get('sec-gpc')?.trim() === '1'
}

/** Whether the user agent is a bot; bots are left out of every count of people. */
export function isBot(req: Request): boolean {
  return isbot(req.get('user-agent'))
}

const cutEach = (given: Attribution | undefined): Attribution =>
  Object.fromEntries(Object.entries(given ?? {}).flatMap(([key, value]) => (cut(value) ? [[key, cut(value)]] : [])))

/** An attribution touch as it is stored: parameters, where, when. */
function touch(attribution: Attribution, url: string | undefined, at: Date): object | undefined {
  if (Object.keys(attribution).length === 0) return undefined
  return { ...attribution, ...(url ? { url } : {}), at: at.toISOString() }
}

/** The columns of session_metadata (D-07), from the request's body and headers. */
export function metadataOf(
  req: Request,
  body: Omit<CreateSessionRequest, 'clientKey'>,
  config: Where & Pick<Config, 'siteUrl'>,
): Record<string, unknown> {
  const userAgent = cut(req.get('user-agent')) ?? cut(body.metadata?.userAgent)
  const known = userAgent ? Bowser.parse(userAgent) : undefined
  const now = new Date()
  const [first, last] = [cutEach(body.attribution?.first), cutEach(body.attribution?.last)]
  const given = body.metadata ?? {}
  const browser = [known?.browser.name, known?.browser.version].filter(Boolean).join(' ')
  const os = [known?.os.name, known?.os.version].filter(Boolean).join(' ')
  return {
    ...first,
    ...last,
    user_agent: userAgent,
    // the header of this request names the page of ours that made it, and a page of ours leads to the next one
    referer: given.referrer?.startsWith(`${config.siteUrl}/`) ? undefined : cut(given.referrer),
    first_touch: touch(first, body.landingUrl, now),
    last_touch: touch(last, body.landingUrl, now),
    device_type: cut(known?.platform.type) ?? cut(given.deviceType),
    browser: cut(browser) ?? cut(given.browser),
    os: cut(os) ?? cut(given.os),
    screen_resolution: cut(given.screenResolution),
    timezone: cut(given.timezone),
    language: cut(given.language) ?? cut(req.acceptsLanguages()[0]),
    country: countryOf(req, config),
    city: cityOf(req, config),
    region: regionOf(req, config),
    ...metaCookies(req),
  }
}

import { BlockList, isIP } from 'node:net'
import type { Request, RequestHandler } from 'express'
import type { Log } from './logging.ts'

/**
 * Parses TRUST_PROXY for Express: `false`, the number of proxies in front, or their addresses (`loopback`,
 * `10.0.0.0/8`, comma-separated). Undefined for anything else, also for `true`, which would trust any visitor's
 * X-Forwarded-For.
 */
export function parseTrustProxy(text: string): false | number | string | undefined {
  if (text === 'false' || text === '0') return false
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const places = text.split(',').map((place) => place.trim())
  return places.every(isPlace) ? places.join(', ') : undefined
}

function isPlace(place: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(place)) return true
  const [address = '', bits, ...rest] = place.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  if (!/^\d{1,3}$/.test(bits)) return false
  try {
    new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
    // the whole internet is not a list of proxies
    return Number(bits) > 0
  } catch {
    return false
  }
}

/** Whether a proxy in TRUST_PROXY passed this request on: then the visitor did not choose its headers. */
export function isFromProxy(req: Request): boolean {
  const trusts = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean
  return trusts(req.socket.remoteAddress ?? '', 0)
}

/**
 * Warns once that there seems to be a proxy in front although TRUST_PROXY is `false`: all visitors would share its
 * address and its limits. No address is logged, and a visitor who invents the header changes nothing.
 */
export function noticeUnnamedProxy(log: Log): RequestHandler {
  let noticed = false
  return (req, _res, next) => {
    if (!noticed && req.headers['x-forwarded-for'] !== undefined) {
      noticed = true
      log.warn('X-Forwarded-For arrives while TRUST_PROXY is false: behind a proxy all visitors share its limits')
    }
    next()
  }
}

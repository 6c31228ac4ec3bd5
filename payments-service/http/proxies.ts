import { BlockList, isIP } from 'node:net'
import type { Express } from 'express'

/** Addresses of proxies that are remembered; a balancer has few. */
const MOST = 1_000

/**
 * TRUST_PROXY as Express takes it: `false`, how many proxies stand in front, or their addresses (`loopback`,
 * `10.0.0.0/8`, comma-separated). Undefined for anything else, also for `true`: any visitor's
 * X-Forwarded-For would be believed.
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
    // all of the internet is no list of proxies
    return Number(bits) > 0
  } catch {
    return false
  }
}

/**
 * Express's "trust proxy" with a memory: whether the proxy in front is trusted is worked out once an address instead of
 * with every request that asks for its own (parsing both cost more than counting it for the limits).
 */
export function trustProxies(app: Express, setting: boolean | number | string): void {
  app.set('trust proxy', setting)
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean
  const known = new Map<string, boolean>()
  app.set('trust proxy fn', (address: string, hop: number): boolean => {
    const key = `${hop} ${address}`
    let trusted = known.get(key)
    if (trusted === undefined) {
      trusted = trusts(address, hop)
      if (known.size < MOST) known.set(key, trusted)
    }
    return trusted
  })
}

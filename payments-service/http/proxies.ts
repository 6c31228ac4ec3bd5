import type { Express } from 'express'

/** Addresses of proxies that are remembered; a balancer has few. */
const MOST = 1_000

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

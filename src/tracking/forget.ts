import { forgetTouches, keepInMemory } from '../session/attribution.ts'
import * as KEYS from '../session/keys.ts'
import { local } from '../session/storage.ts'

/** Cookies by which advertisers know a browser again: ours, Meta's and those of Google's tags. */
const COOKIES = /^(fbclid|_fb[pc]|_ga|_gid|_gcl)/

/** L-06, T-02: takes from the device what is there for advertising. This page alone still knows where it came from. */
export function forgetAdvertising(): void {
  keepInMemory(local)
  forgetTouches(local)
  local.remove(KEYS.redirectFbclid)
  for (const name of document.cookie.split('; ').map((pair) => pair.split('=')[0] ?? '')) {
    if (!COOKIES.test(name)) continue
    const end = `${name}=; Path=/; Max-Age=0`
    document.cookie = end
    // a third party sets its own for the whole domain, which a page cannot read
    for (let domain = location.hostname; domain.includes('.'); domain = domain.slice(domain.indexOf('.') + 1))
      document.cookie = `${end}; Domain=${domain}`
  }
}

import type { Config } from '../config.ts'
import type { Seen } from '../site-config/forwarded.ts'
import { fail, type Said } from './finding.ts'

/** Sent as X-Forwarded-For: an address that nobody has (TEST-NET-3, RFC 5737). */
export const INVENTED = '203.0.113.77'

/**
 * Whether TRUST_PROXY fits what is in front. Each proxy appends the address that it was asked from, so the entries
 * behind the invented one count the proxies. Where one replaces the header, they cannot be counted, nor can anything be
 * invented.
 */
export function proxies({ forwarded, address }: Seen, trusted: Config['trustProxy']): Said[] {
  const invented = forwarded.indexOf(INVENTED)
  if (invented < 0) return []
  const count = forwarded.length - 1 - invented
  const expected = count === 0 ? 'false' : String(count)
  const said = `X-Forwarded-For passes ${count === 1 ? 'one proxy' : `${count} proxies`}: set TRUST_PROXY=${expected}`
  if (typeof trusted === 'string') {
    // one who asks from a trusted address is taken for a proxy
    if (address === INVENTED || count === 0 || address === forwarded[invented + 1]) return []
    return [fail(`TRUST_PROXY does not name the proxy ${address}: all visitors share its address and its limits`)]
  }
  const number = trusted === false ? 0 : trusted
  if (number > count) return [fail(`visitors can invent their address, and no limit holds them. ${said}`)]
  if (number < count) return [fail(`all visitors share the address of a proxy, and its limits. ${said}`)]
  return []
}

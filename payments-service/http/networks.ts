import ipaddr from 'ipaddr.js'

/** Prefix lengths of IPv6 networks, and how many single visitors a limit counts each as. */
export const WIDTHS = [
  { bits: 64, share: 1 },
  { bits: 56, share: 4 },
  { bits: 48, share: 16 },
] as const

/**
 * The networks that an address counts under, narrowest first. One IPv6 line has 2^64 addresses (RFC 6177: a site has a
 * /56 or a /48), so a single address means nothing; IPv4, also in its IPv6 form, is counted as it is.
 */
export function networksOf(address: string | undefined): readonly string[] {
  if (address === undefined || !ipaddr.isValid(address)) return ['unknown']
  const ip = ipaddr.process(address)
  if (ip.kind() === 'ipv4') return [ip.toString()]
  const groups = (ip as ipaddr.IPv6).parts
  return WIDTHS.map(({ bits }) => {
    const kept = groups.slice(0, Math.ceil(bits / 16)).map((group, at) => group & masked(bits - 16 * at))
    return `${kept.map((group) => group.toString(16)).join(':')}::/${bits}`
  })
}

/** A mask of the first `bits` of 16. */
const masked = (bits: number): number => (bits >= 16 ? 0xffff : (0xffff << (16 - bits)) & 0xffff)

/** The narrowest network of an address. */
export function networkOf(address: string | undefined): string {
  return networksOf(address)[0] ?? 'unknown'
}

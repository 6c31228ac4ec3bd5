/** L-06: what of a landing URL is kept. `utm` is the bare parameter of the advertorial links. */
export const ATTRIBUTION_KEYS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'utm',
  'fbclid',
] as const
export type AttributionKey = (typeof ATTRIBUTION_KEYS)[number]
export type Attribution = Partial<Record<AttributionKey, string>>

/** First and last touch are kept for 90 days, as is the fbclid cookie (section 9 of the second text). */
export const ATTRIBUTION_DAYS = 90
/** A longer value is not a campaign name; it is truncated, never refused. */
export const ATTRIBUTION_LONGEST = 500

/** The attribution parameters of a query string, without empty ones, long ones truncated. */
export function parseAttribution(query: URLSearchParams): Attribution {
  const found: Attribution = {}
  for (const key of ATTRIBUTION_KEYS) {
    const value = query.get(key)?.trim().slice(0, ATTRIBUTION_LONGEST)
    if (value) found[key] = value
  }
  return found
}

/**
 * T-01: the ids of tag manager and pixel that a page names, as parseParties reads them. With ids only, and never where
 * the page asks a question or its address names a session; `all` (TRACKING_SCOPE, of the build) lets them onto those
 * too, never onto a payment page.
 */
export function namedParties(
  { gtmId, metaPixelId }: { gtmId?: string | null; metaPixelId?: string | null },
  page: { noindex: boolean; pays: boolean },
  scope = process.env['TRACKING_SCOPE'],
): string {
  if (scope === 'all' ? page.pays : page.noindex) return ''
  return [gtmId ? `gtm=${gtmId}` : '', metaPixelId ? `pixel=${metaPixelId}` : ''].filter(Boolean).join('; ')
}

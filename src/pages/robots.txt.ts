import type { APIRoute } from 'astro'

/**
 * Everything public may be read. Pages under a session id are not listed here: they say noindex themselves, which a
 * crawler can only see when it may read them. The sitemap exists where the site knows its address (SITE_URL).
 */
export const GET: APIRoute = ({ site }) => {
  const lines = ['User-agent: *', 'Disallow: /api/', 'Disallow: /operator']
  if (site) lines.push('', `Sitemap: ${new URL('/sitemap-index.xml', site).href}`)
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

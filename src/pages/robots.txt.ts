import type { APIRoute } from 'astro'

/**
 * Everything public may be read. Pages with a session id are not listed: they carry noindex, which a crawler only sees
 * if it may read them. The sitemap exists where the site knows its address (SITE_URL).
 */
export const GET: APIRoute = ({ site }) => {
  const lines = ['User-agent: *', 'Disallow: /api/', 'Disallow: /operator']
  if (site) lines.push('', `Sitemap: ${new URL('/sitemap-index.xml', site).href}`)
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

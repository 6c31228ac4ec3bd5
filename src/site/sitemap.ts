import { classOf } from './host-files.ts'

/** Whether a page of the build belongs in the sitemap: public, and not an error page. */
export function inSitemap(address: string): boolean {
  const shell = new URL(address).pathname.replace(/^\/|\/$/g, '')
  return classOf(shell) === 'public' && !/(^|\/)(404|500)$/.test(shell)
}

/** An entry under the page's canonical address: without a trailing slash. */
export function canonicalEntry<Entry extends { url: string }>(entry: Entry): Entry {
  const url = new URL(entry.url)
  if (url.pathname !== '/') url.pathname = url.pathname.replace(/\/$/, '')
  return { ...entry, url: url.href }
}

/** The built site as a visitor's browser and a search engine find it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { root } from '../../scripts/settings.ts'
import { resolve as route } from '../../contract/site-routes.ts'

export interface BuiltPage {
  /** '' is the root, else 'legal/privacy', '404' … */
  shell: string
  file: string
  html: string
}

/** SITE_DIST, as `npm test` sets it, else the last export in dist/; undefined when nothing was built. */
export function builtFolder(): string | undefined {
  return [process.env['SITE_DIST'], join(root, 'dist')].find((one) => one && existsSync(join(one, 'index.html')))
}

export function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

export function pagesOf(folder: string): BuiltPage[] {
  return filesOf(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({
      file,
      shell: relative(folder, file)
        .split(sep)
        .join('/')
        .replace(/(^|\/)index\.html$/, '')
        .replace(/\.html$/, ''),
      html: readFileSync(file, 'utf8'),
    }))
}

/** The footers of these pages, for those that have one. */
export function footersOf(pages: readonly BuiltPage[]): { shell: string; foot: string }[] {
  return pages.flatMap(({ shell, html }) => {
    const foot = /<footer[\s\S]*<\/footer>/.exec(html)?.[0]
    return foot ? [{ shell, foot }] : []
  })
}

/** Every address in a page's markup: links, pictures in all sizes, scripts, icons; not data or mail addresses. */
export function addressesIn(html: string): string[] {
  const found: string[] = []
  for (const [, name = '', value = ''] of html.matchAll(/\s(href|src|srcset|component-url|renderer-url)="([^"]*)"/g)) {
    const text = value.replaceAll('&amp;', '&')
    found.push(...(name === 'srcset' ? text.split(',').map((one) => one.trim().split(/\s+/)[0] ?? '') : [text]))
  }
  return [...new Set(found)].filter((address) => address && !/^(mailto|tel|data):/.test(address))
}

export function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}

/**
 * What is wrong with an address on a page of this build, undefined when it leads somewhere. Redirects and session pages
 * follow the routing table; what the service answers is its own matter.
 */
export function problemOf(
  address: string,
  page: BuiltPage,
  folder: string,
  pages: readonly BuiltPage[],
): string | undefined {
  const base = `https://site.invalid/${page.shell}`
  const url = new URL(address, base)
  if (url.origin !== 'https://site.invalid') return /^https:/.test(address) ? undefined : 'is not https'
  const shellOf = (path: string) => path.replace(/^\/|\/$/g, '')
  const own = (path: string) => pages.some(({ shell }) => shell === shellOf(path))
  const anchor = decodeURIComponent(url.hash.slice(1))
  const missing = (target: BuiltPage) => (anchor && !idsIn(target.html).has(anchor) ? `has no #${anchor}` : undefined)
  if (address.startsWith('#')) return missing(page)
  let path = url.pathname
  let found = route(path, url.search, own)
  for (let hops = 0; found.kind === 'redirect'; hops++) {
    if (hops > 3) return 'redirects in circles'
    path = new URL(found.location, base).pathname
    found = route(path, '', own)
  }
  if (found.kind === 'proxy') return undefined
  if (found.kind === 'page' && found.status === 404) return 'leads to a page that says it is missing'
  const shell = found.kind === 'page' ? found.shell : shellOf(path)
  const target = pages.find((one) => one.shell === shell)
  if (!target) {
    const file = statSync(join(folder, decodeURIComponent(path)), { throwIfNoEntry: false })
    return file?.isFile() ? undefined : 'leads nowhere'
  }
  return missing(target)
}

/** The paths that the sitemap names; undefined for a site that does not know its address, and so has none. */
export function sitemapOf(folder: string): string[] | undefined {
  const file = join(folder, 'sitemap-0.xml')
  if (!existsSync(file)) return undefined
  return [...readFileSync(file, 'utf8').matchAll(/<loc>([^<]+)/g)].map(([, url = '']) => new URL(url).pathname)
}

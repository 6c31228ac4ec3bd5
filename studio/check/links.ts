import { resolve } from '../../contract/site-routes.ts'

/** What is wrong with the address of a link in a text, by itself; undefined: nothing. */
export function linkFault(href: string): string | undefined {
  if (/\s/.test(href)) return 'An address has no spaces.'
  if (/^\/(?!\/)/.test(href)) return undefined
  if (href.startsWith('https://')) {
    const named = URL.canParse(href) && new URL(href).hostname.includes('.')
    return named ? undefined : 'A web address names a site, such as https://example.com/page.'
  }
  if (href.startsWith('mailto:')) {
    // a placeholder is checked as one
    const named = /^mailto:(\{.+\}(\?.*)?|[^@]+@[^@]+)$/.test(href)
    return named ? undefined : 'mailto: is followed by an e-mail address, or by {contactEmail}.'
  }
  return 'An address begins with /, https:// or mailto:'
}

/** The document whose page a link leads to. */
export interface LinkedPage {
  type: 'legalPage' | 'advertorial'
  /** The field that holds the address. */
  field: 'slug' | 'path'
  address: string
}

/** The editors' page that a link leads to; undefined: it leads to a page or file of the site itself, or elsewhere. */
export function linkedPage(href: string): LinkedPage | undefined {
  if (!href.startsWith('/') || linkFault(href) !== undefined) return undefined
  const path = (href.split(/[?#]/, 1)[0] ?? '').replace(/(?<=.)\/$/, '')
  const legal = /^\/legal\/([^/]+)$/.exec(path)?.[1]
  if (legal !== undefined) return { type: 'legalPage', field: 'slug', address: legal }
  const isFile = /\.\w+$/.test(path)
  if (isFile || resolve(path, '', () => false).kind !== 'file') return undefined
  return { type: 'advertorial', field: 'path', address: path }
}

export const NO_PAGE = 'No page of this site has this address: visitors would read that it does not exist.'

/**
 * THE routing table: which static file answers an address, what is passed on to the service, and which headers are
 * sent. The local server, the dev server, `_redirects`, `_headers` and nginx.conf are all made from it (host-files.ts),
 * so that they cannot differ. Pure data and pure functions: no file system, no framework. Source: the route tables of
 * both specifications.
 */

/**
 * What a page may do: `public` (marketing, legal), `quiz`, `session` (a session id in the address), `payment` (also
 * loads Stripe.js), `members` (signed in).
 */
export type PageClass = 'public' | 'quiz' | 'session' | 'payment' | 'members'

export interface PageRoute {
  /** `:name` is one segment, a final `*` any rest. */
  path: string
  /** Folder in the built site whose index.html answers; `''` is the root. */
  shell: string
  page: PageClass
  /** 200 when left out. */
  status?: 404
}

export interface RedirectRoute {
  path: string
  /** May use the names of `path`. The query is kept. */
  to: string
  status: 301 | 302
}

export interface ProxyRoute {
  path: string
  to: 'api' | 'stripe'
}

/** Passed on. `/_stripe` has the sandbox's same-origin parts and exists only where the sandbox does. */
export const proxies: readonly ProxyRoute[] = [
  { path: '/api/*', to: 'api' },
  { path: '/operator', to: 'api' },
  { path: '/operator/*', to: 'api' },
  { path: '/upsell-links', to: 'api' },
  { path: '/upsell-links/*', to: 'api' },
  { path: '/_stripe/*', to: 'stripe' },
]

export const redirects: readonly RedirectRoute[] = [
  { path: '/upsell/:sessionId', to: '/multi-upsell/:sessionId', status: 302 },
  { path: '/upsell', to: '/multi-upsell', status: 302 },
  { path: '/welcome/:sessionId', to: '/thank-you/:sessionId', status: 302 },
  { path: '/welcome', to: '/thank-you', status: 302 },
  { path: '/terms', to: '/legal/terms-and-conditions', status: 301 },
  { path: '/privacy', to: '/legal/privacy', status: 301 },
  // where a browser that keeps passwords leads to when one has leaked (W3C: A Well-Known URL for Changing Passwords)
  { path: '/.well-known/change-password', to: '/app/forgot-password', status: 302 },
  { path: '/app', to: '/app/', status: 301 },
]

/** With and without the id: a page without one finds the current session or says what is missing. */
const withSession = (shell: string, page: PageClass): PageRoute[] => [
  { path: `/${shell}/:sessionId`, shell, page },
  { path: `/${shell}`, shell, page },
]

/** The page of a link in a mail. Its token is the fragment, which no log records; earlier mails have it in the path. */
const linked = (name: string, shell: string, page: PageClass): PageRoute[] => [
  { path: `/${name}`, shell, page },
  { path: `/${name}/:token`, shell, page },
]

export const pages: readonly PageRoute[] = [
  { path: '/', shell: '', page: 'public' },
  { path: '/quiz', shell: 'quiz', page: 'quiz' },
  ...withSession('checkout', 'payment'),
  { path: '/checkout-summary', shell: 'checkout', page: 'payment' },
  ...withSession('redirect', 'session'),
  ...withSession('multi-upsell', 'payment'),
  ...withSession('user-creation', 'session'),
  ...withSession('thank-you', 'session'),
  ...withSession('special-offer-intro', 'payment'),
  ...withSession('special-offer-details', 'payment'),
  { path: '/checkout-paypal-return', shell: 'paypal-return', page: 'payment' },
  { path: '/special-offer-paypal-return/:sessionId', shell: 'paypal-return', page: 'payment' },
  { path: '/paypal-setup-return/:sessionId', shell: 'paypal-return', page: 'payment' },
  { path: '/paypal-trial-return/:sessionId', shell: 'paypal-return', page: 'payment' },
  {
    path: '/upsell-paypal-return/:sessionId/:paymentIntentId/:productId',
    shell: 'upsell-paypal-return',
    page: 'payment',
  },
  { path: '/upsell-payment-complete/:paymentIntentId', shell: 'upsell-payment-complete', page: 'payment' },
  // H-02, H-04: leaving without a sign-in, and the link that takes it back
  { path: '/exit', shell: 'exit', page: 'session' },
  // H-05: the link in a receipt
  ...linked('undo', 'undo', 'session'),
  { path: '/payment-error', shell: 'payment-error', page: 'session' },
  ...withSession('summary', 'session'),
  ...withSession('payment', 'payment'),
  // loads Stripe.js, so it is a separate page
  { path: '/app/card', shell: 'update-payment', page: 'payment' },
  { path: '/app/*', shell: 'app', page: 'members' },
  ...linked('update-payment', 'update-payment', 'payment'),
  // H-04: the targets of links in mails: one page, which behaves according to the first segment
  ...['cancel', 'undo-cancel', 'withdraw', 'invoice', 'create-account'].flatMap((name) =>
    linked(name, 'mail-link', 'session'),
  ),
  // Last: a legal page that exists is a file and is found before this (G-01).
  { path: '/legal/:page', shell: 'legal/404', page: 'public', status: 404 },
]

/** Folders of the built site beside its pages. */
const FOLDERS = ['404', '500', '_astro', 'audio', 'og']

const segmentOf = (path: string): string => path.split('/')[1] ?? ''

const SEGMENTS: ReadonlySet<string> = new Set([
  ...FOLDERS,
  ...[...proxies, ...redirects, ...pages].map(({ path }) => segmentOf(path)),
  // an article there would take the place of the page that answers other addresses
  ...pages.map(({ shell }) => segmentOf(`/${shell}`)),
])

/** V-03: whether an address lies where the site has pages, files or redirects of its own. */
export const belongsToSite = (path: string): boolean => SEGMENTS.has(segmentOf(path))

/** Whether a page at this path, as it is written, goes on with a visit: its id follows the path, if there is one. */
export const takesVisit = (path: string): boolean =>
  [path, `${path}/:sessionId`].every((one) => pages.some((route) => route.path === one))

/** Files of a build that are for hosts, not for visitors. */
export const hostFiles = ['/_headers', '/_redirects', '/nginx.conf', '/csp.json']

export type Resolution =
  | { kind: 'proxy'; to: 'api' | 'stripe' }
  | { kind: 'redirect'; location: string; status: 301 | 302 }
  | { kind: 'page'; shell: string; page: PageClass; status: 200 | 404 }
  | { kind: 'file'; page: PageClass }

/**
 * Path and query (with its `?`) of a request. Leading slashes become one, because a redirect to `//host` would lead to
 * another origin.
 */
export function addressOf({ url = '/' }: { url?: string | undefined }): { path: string; search: string } {
  const [path = '/'] = url.split('?', 1)
  return { path: path.replace(/^\/+/, '/'), search: url.slice(path.length) }
}

/**
 * Whether a path is unambiguous: no segment that climbs (`..`, also as `%2e%2e`) and no backslash, which some programs
 * read as a slash. Browsers send no such path; a program behind this one could find another address in it.
 */
export function isPlain(path: string): boolean {
  return path.startsWith('/') && !/\\|%5c/i.test(path) && !/\/(\.|%2e){1,2}(?=\/|$)/i.test(path)
}

/**
 * What an address leads to. `search` is the query with its `?`, kept on redirects. `isPage(path)` says whether the
 * built site has its own page at that path, which wins over a route that answers 404.
 */
export function resolve(pathname: string, search: string, isPage: (path: string) => boolean): Resolution {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  for (const route of proxies) if (match(route.path, path)) return { kind: 'proxy', to: route.to }
  for (const route of redirects) {
    const names = match(route.path, path)
    // '/app/' is the target of '/app', not its source
    if (!names || route.to === pathname) continue
    const location = route.to.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
    return { kind: 'redirect', location: location + search, status: route.status }
  }
  for (const route of pages) {
    if (!match(route.path, path) || (route.status === 404 && isPage(path) && path !== `/${route.shell}`)) continue
    return { kind: 'page', shell: route.shell, page: route.page, status: route.status ?? 200 }
  }
  return { kind: 'file', page: 'public' }
}

/** The named segments of a path that fits the pattern, or undefined. */
function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  const names: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    if (part === '*') return names
    const segment = given[i]
    if (segment === undefined) return undefined
    if (part.startsWith(':')) {
      if (!segment) return undefined
      try {
        names[part.slice(1)] = decodeURIComponent(segment)
      } catch {
        return undefined
      }
    } else if (part !== segment) return undefined
  }
  return wanted.length === given.length ? names : undefined
}

/** The response headers of the built site, by page class. Part of the routing table; pure. */
import type { PageClass } from '../../contract/site-routes.ts'

/** Stripe's hosts, as its documentation requires; only on payment pages. */
const stripe = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: ['https://*.stripe.com'],
}

export type ThirdParty = 'gtm' | 'pixel'
/** Hosts of the tag manager and the pixel, as their documentation requires; only on pages that name them (T-01). */
const partyHosts: Record<ThirdParty, { script: string[]; connect: string[]; image: string[] }> = {
  gtm: {
    script: ['https://www.googletagmanager.com'],
    connect: ['https://www.googletagmanager.com', 'https://*.google-analytics.com'],
    image: ['https://www.googletagmanager.com', 'https://*.google-analytics.com'],
  },
  pixel: {
    script: ['https://connect.facebook.net'],
    connect: ['https://connect.facebook.net', 'https://www.facebook.com'],
    image: ['https://www.facebook.com'],
  },
}

/** Inline scripts and styles of a page as CSP source expressions (`'sha256-…'`). */
export interface InlineHashes {
  scripts: string[]
  styles: string[]
  /** Third parties that the page names (its third-parties element); never those of a payment page. */
  parties?: ThirdParty[]
}

/**
 * The Content-Security-Policy of a page. On payment pages 'self' may be framed: the sandbox's stand-in is same-origin.
 */
export function contentSecurityPolicy(page: PageClass, hashes: InlineHashes): string {
  const pays = page === 'payment'
  const parties = pays ? [] : (hashes.parties ?? []).map((party) => partyHosts[party])
  const directives: [string, string[]][] = [
    ['default-src', ["'none'"]],
    [
      'script-src',
      ["'self'", ...hashes.scripts, ...(pays ? stripe.script : []), ...parties.flatMap(({ script }) => script)],
    ],
    ['style-src', ["'self'", ...hashes.styles]],
    ['img-src', ["'self'", 'data:', 'blob:', ...(pays ? stripe.image : []), ...parties.flatMap(({ image }) => image)]],
    ['font-src', ["'self'"]],
    ['media-src', ["'self'", 'blob:']],
    ['connect-src', ["'self'", ...(pays ? stripe.connect : []), ...parties.flatMap(({ connect }) => connect)]],
    ['frame-src', pays ? ["'self'", ...stripe.frame] : ["'none'"]],
    ['manifest-src', ["'self'"]],
    ['object-src', ["'none'"]],
    ['base-uri', ["'none'"]],
    ['form-action', ["'self'"]],
    ['frame-ancestors', ["'none'"]],
  ]
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ')
}

/**
 * Headers of every response. Strict-Transport-Security is set where TLS ends, by the host: see nginx.conf and _headers.
 */
export const everywhere: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Headers of a page without its policy. From a page with a session id no address is sent and no search engine keeps it
 * (architecture, "The session"); the quiz does not reveal its steps to other sites.
 */
export function pageHeaders(page: PageClass, status: 200 | 404 = 200): Record<string, string> {
  const isPublic = page === 'public'
  return {
    'Cache-Control': isPublic && status === 200 ? 'public, max-age=0, must-revalidate' : 'no-cache',
    'Referrer-Policy': isPublic ? 'strict-origin-when-cross-origin' : page === 'quiz' ? 'same-origin' : 'no-referrer',
    // a wallet's sheet (Google Pay) is a window opened by Stripe's frame: without its opener it could not answer
    'Cross-Origin-Opener-Policy': page === 'payment' ? 'same-origin-allow-popups' : 'same-origin',
    'Permissions-Policy':
      `camera=(), microphone=(), geolocation=(), ` +
      `payment=${page === 'payment' ? '(self "https://js.stripe.com")' : '()'}`,
    ...(isPublic && status === 200 ? {} : { 'X-Robots-Tag': 'noindex' }),
  }
}

/**
 * The policy of everything that is not a page: pictures, scripts and sounds. Hosts that merge policies send it with
 * every response, also with a 404 at any address; browsers enforce all of them.
 */
export const leastPolicy: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
}

/** Files whose name carries their hash never change. */
export const immutable = { prefix: '/_astro/', value: 'public, max-age=31536000, immutable' }
/** Pictures and sounds with plain names: a day, then asked again. */
export const asset = { value: 'public, max-age=86400' }

/** Kinds of text beside HTML, by the end of a file's name. All are UTF-8, and say so (OWASP ASVS 5.0, 4.1.1). */
export const textTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  txt: 'text/plain',
  xml: 'text/xml',
  svg: 'image/svg+xml',
}

/**
 * Where this Studio reads and writes (K-03). Vite puts SANITY_STUDIO_* into the build; each name is written out because
 * only literal names are replaced.
 *
 * | Variable | Default |
 * | --- | --- |
 * | SANITY_STUDIO_PROJECT_ID | local0001, the embedded lake |
 * | SANITY_STUDIO_DATASET | production |
 * | SANITY_STUDIO_API_HOST | http://localhost:3334 for the embedded lake, Sanity's cloud for a real project |
 * | SANITY_STUDIO_PREVIEW_URL | http://localhost:4322, the draft deployment |
 * | SANITY_STUDIO_SITE_URL | http://localhost:4321 for the embedded lake, else none: no numbers are shown |
 * | SANITY_STUDIO_PUBLISHER_URL | http://localhost:4324 for the embedded lake, else none: no builds are shown |
 * | SANITY_STUDIO_PREVIEW_ENABLE | empty; a path of the draft deployment that checks the Studio's secret |
 */
const EMBEDDED_PROJECT = 'local0001'

// A static Studio is built once; the program that serves it may name another address at run
// time (ports are never baked in).
const served =
  (globalThis as { __STUDIO__?: Partial<Record<'apiHost' | 'previewUrl' | 'siteUrl' | 'publisherUrl', string>> })
    .__STUDIO__ ?? {}

export const projectId = process.env.SANITY_STUDIO_PROJECT_ID || EMBEDDED_PROJECT
export const dataset = process.env.SANITY_STUDIO_DATASET || 'production'
const embedded = projectId === EMBEDDED_PROJECT
/** Undefined on Sanity's cloud. */
export const apiHost =
  served.apiHost || process.env.SANITY_STUDIO_API_HOST || (embedded ? 'http://localhost:3334' : undefined)
export const previewUrl = served.previewUrl || process.env.SANITY_STUDIO_PREVIEW_URL || 'http://localhost:4322'
/** The site, under whose `/api` the service answers; undefined: unknown. */
export const siteUrl =
  served.siteUrl || process.env.SANITY_STUDIO_SITE_URL || (embedded ? 'http://localhost:4321' : undefined)
/** The publisher, where the site serves itself; undefined: unknown, or a host builds it. */
export const publisherUrl =
  served.publisherUrl || process.env.SANITY_STUDIO_PUBLISHER_URL || (embedded ? 'http://localhost:4324' : undefined)
export const previewEnablePath = process.env.SANITY_STUDIO_PREVIEW_ENABLE || undefined

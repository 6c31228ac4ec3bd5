/**
 * The result of the last publish, as a document that the Studio shows (studio/structure/SiteStatus.tsx reads the same).
 */
import { join } from 'node:path'
import { recordOf } from '../builds/builds.ts'
import { pinOf } from '../builds/journal.ts'

/** An id with a dot: readable by editors, not by the public. */
export const SITE_STATUS_ID = 'site.status'
export const SITE_STATUS_TYPE = 'siteStatus'

export interface SiteProblem {
  _key: string
  documentId: string
  documentType: string
  /** In the Studio's notation; empty for the document itself. */
  path: string
  message: string
}

export interface SiteStatus {
  state: 'live' | 'broken'
  /** Until when what was published is known to it, ISO 8601: what was published later waits (contract/published.ts). */
  at: string
  /** `at` of the last publish that the site took on; absent until it has (payments-service/metrics/publish.ts). */
  goodAt?: string
  /** From the first change to its end. */
  milliseconds: number
  problems: SiteProblem[]
  /** The site stays at a build, whatever is published. */
  pin: SitePin | null
  /** Since when what is published is being built; null when it is not. */
  building: string | null
}

export interface SitePin {
  /** When that build was made; both ISO 8601. */
  built: string
  since: string
  by: string
}

export function pinShown(buildsDir: string, site: string): SitePin | null {
  const pin = pinOf(buildsDir, site)
  return pin ? { built: recordOf(join(buildsDir, pin.build))?.built ?? '', since: pin.at, by: pin.who } : null
}

/**
 * A failed build's output as problems: the lines in which src/cms/content-error.ts names document and field (K-06),
 * otherwise all of it.
 */
export function problemsOf(words: string): SiteProblem[] {
  // the builder prints its error more than once
  const rows = new Set(words.split('\n').map((row) => row.trim()))
  const found = [...rows].flatMap((row) => [...row.matchAll(/^(\w+) "([^"]+)"(?:, field (.+?))?: (.+)$/g)])
  if (found.length === 0) {
    return [{ _key: 'p0', documentId: '', documentType: '', path: '', message: words.slice(0, 2000) }]
  }
  return found.map(([, documentType = '', documentId = '', path = '', message = ''], index) => ({
    _key: `p${index}`,
    documentId,
    documentType,
    path,
    message,
  }))
}

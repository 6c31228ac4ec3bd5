import type { AdvertorialContent } from '../../contract/content.ts'
import { getAdvertorials } from '../cms/content.ts'

/**
 * Long enough for the routes of one build to share an answer, short enough that an editor's watcher sees every change.
 * A preview shares none: each request has its own perspective, and records its own fields.
 */
const FRESH_MS = import.meta.env.DEV || import.meta.env.SITE_DRAFTS ? 0 : 2_000

/**
 * An article in storage: the parts that routes need, and its text outside the heap until its page is written (V-03).
 */
export interface Shelved extends Pick<AdvertorialContent, 'id' | 'path' | 'cover'> {
  open: () => AdvertorialContent
}

let recent: { articles: Promise<Shelved[]>; until: number } | undefined

/** All advertorials, fetched and parsed once for all routes of a build: there may be thousands. */
export function allAdvertorials(): Promise<Shelved[]> {
  if (FRESH_MS === 0) return getAdvertorials(undefined, shelved)
  if (recent && Date.now() < recent.until) return recent.articles
  const fetched = { articles: getAdvertorials(undefined, shelved), until: Infinity }
  recent = fetched
  fetched.articles.then(
    () => (fetched.until = Date.now() + FRESH_MS),
    () => (fetched.until = 0),
  )
  return fetched.articles
}

/**
 * An article to keep, parsed only when opened: as objects, 5,000 articles took 60 MB of a build. Compressing them took
 * twice the time.
 */
export function shelved(article: AdvertorialContent): Shelved {
  const { id, path, cover } = article
  const bytes = Buffer.from(JSON.stringify(article))
  return { id, path, cover, open: () => JSON.parse(bytes.toString()) as AdvertorialContent }
}
